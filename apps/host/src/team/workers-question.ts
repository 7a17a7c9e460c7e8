import type { Store } from '@atelier/store-sqlite';

/** A task of a run, and the moment up to which is looked, ISO 8601. */
interface Asked {
  readonly runId: string;
  readonly key: string;
  readonly before: string;
}

/** Code points: as much as a briefing passes on. */
const LONGEST = 2_000;

/**
 * What the worker itself wrote when it last gave a task up or asked about it, cut; undefined where no attempt ended so,
 * as of a task that others took down with them. Text of others.
 */
export function workersQuestion(
  store: Pick<Store, 'attempts'>,
  { runId, key, before }: Asked,
): string | undefined {
  const asked = store
    .attempts(runId, key)
    .filter(({ ending, ended_at }) => ENDINGS.has(ending) && (ended_at ?? '') <= before);
  const notes = notesIn(asked.at(-1)?.reply_json ?? null);
  return notes.trim() === ''
    ? undefined
    : [...notes.slice(0, 2 * LONGEST)].slice(0, LONGEST).join('');
}

const ENDINGS: ReadonlySet<string | null> = new Set(['abandoned', 'held']);

function notesIn(reply: string | null): string {
  try {
    const { notes_md } = Object(JSON.parse(reply ?? '{}')) as { readonly notes_md?: unknown };
    return typeof notes_md === 'string' ? notes_md : '';
  } catch {
    return '';
  }
}
