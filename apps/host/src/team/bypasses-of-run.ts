import type { PhaseBypass, Phases } from '@atelier/store-sqlite';
import type { Drive } from '../compose/drive-run.ts';

const KEY = 'bypasses';

/** A run with what it was let through by: recorded with it, so that a start after this one still knows. */
export function withBypasses(drive: Drive, more: readonly PhaseBypass[]): Drive {
  if (more.length === 0) return drive;
  const ids = [...idsIn(drive), ...more.map(({ id }) => id)];
  return { ...drive, about: { ...drive.about, [KEY]: JSON.stringify(ids) } };
}

/** What a run was let through by, since it was first started. What others went through meanwhile is not of it. */
export function bypassesOfRun(
  phases: Phases,
  project: string,
  drive: Pick<Drive, 'about'>,
): readonly PhaseBypass[] {
  const ids = new Set(idsIn(drive));
  return ids.size === 0 ? [] : phases.bypasses(project).filter(({ id }) => ids.has(id));
}

/** The journal is the host's own: what is read here was written here. */
const idsIn = ({ about }: Pick<Drive, 'about'>): readonly number[] =>
  JSON.parse(about[KEY] ?? '[]') as number[];
