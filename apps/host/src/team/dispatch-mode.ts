import { printable } from '@atelier/envelope';
import type { Repository } from '@atelier/worktrees';
import { HostError } from '../host-error.ts';
import { MARKER, readMarker, writeMarker } from './mode-marker.ts';

/** How the work of a project is led: by one person's session, or as a team with phases and a gate. */
const DISPATCH_MODES = ['subagent', 'agent-team'] as const;

export type DispatchMode = (typeof DISPATCH_MODES)[number];

/** Which it is, and what says so. */
export interface DispatchModeChoice {
  readonly mode: DispatchMode;
  readonly source: 'environment' | 'marker' | 'default';
}

const DEFAULT: DispatchMode = 'subagent';

const VARIABLE = 'ATELIER_DISPATCH_MODE';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The mode of a project, read back and never asked for: the environment, then the marker, then `subagent`. What is blank
 * is not set, and a marker that can not be read is not there. Throws `UNKNOWN_DISPATCH_MODE`, also for a marker of more
 * than a line, or `DISPATCH_MODE_MARKER` for one that is a link or in one.
 */
export function dispatchModeOf(
  { topLevel }: Pick<Repository, 'topLevel'>,
  env: Variables,
): DispatchModeChoice {
  const asked = modeInEnvironment(env);
  if (asked) return { mode: asked, source: 'environment' };
  const marked = readMarker(topLevel);
  if (marked !== undefined) return { mode: known(marked, MARKER), source: 'marker' };
  return { mode: DEFAULT, source: 'default' };
}

/** Writes the marker. Throws `UNKNOWN_DISPATCH_MODE` or `DISPATCH_MODE_MARKER`, and then writes nothing. */
export const markDispatchMode = (
  { topLevel }: Pick<Repository, 'topLevel'>,
  mode: string,
): DispatchMode => {
  const line = known(mode.trim(), 'the mode');
  writeMarker(topLevel, line);
  return line;
};

/** The mode that is asked for whatever the marker says. Throws `UNKNOWN_DISPATCH_MODE`. */
export function modeInEnvironment(env: Variables): DispatchMode | undefined {
  const asked = env[VARIABLE]?.trim();
  return asked ? known(asked, VARIABLE) : undefined;
}

function known(given: string, where: string): DispatchMode {
  const mode = DISPATCH_MODES.find((one) => one === given);
  if (mode) return mode;
  throw new HostError(
    'UNKNOWN_DISPATCH_MODE',
    `${where} says ${printable(given, 60)}, which is no dispatch mode`,
    `Use ${DISPATCH_MODES.join(' or ')}; atelier mode set MODE writes it.`,
  );
}
