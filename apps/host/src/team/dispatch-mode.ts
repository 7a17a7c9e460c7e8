import { printable } from '@atelier/envelope';
import type { Repository } from '@atelier/worktrees';
import { HostError } from '../host-error.ts';
import { hasMarker, MARKER, readMarker, writeMarker } from './mode-marker.ts';
import { keepSaidMode, saidMode } from './said-mode.ts';

/** How the work of a project is led: by one person's session, or as a team with phases and a gate. */
const DISPATCH_MODES = ['subagent', 'agent-team'] as const;

export type DispatchMode = (typeof DISPATCH_MODES)[number];

/** Which it is, and what says so. */
export interface DispatchModeChoice {
  readonly mode: DispatchMode;
  /** `said`: the last `atelier mode set`, where a marker that git tracks is in the place of a person's. */
  readonly source: 'environment' | 'marker' | 'main-worktree' | 'said' | 'default';
  /** A marker had no effect, and what to do about it. */
  readonly warning?: string;
}

const DEFAULT: DispatchMode = 'subagent';

const VARIABLE = 'ATELIER_DISPATCH_MODE';

type Variables = Readonly<Record<string, string | undefined>>;

type Clone = Pick<Repository, 'topLevel' | 'mainTopLevel' | 'stateDir' | 'tracks'>;

/**
 * The mode of a project, read back and never asked for: the environment, then the marker of this checkout or else of the
 * clone's main one, then `subagent`. What is blank is not set, and a marker that can not be read is not there. One that
 * git tracks came with a commit, so that anybody may have written it: it neither sets nor drops a mode. Throws
 * `UNKNOWN_DISPATCH_MODE`, also for a marker of more than a line, or `DISPATCH_MODE_MARKER` for one that is a link or in
 * one.
 */
export async function dispatchModeOf(clone: Clone, env: Variables): Promise<DispatchModeChoice> {
  const asked = modeInEnvironment(env);
  if (asked) return { mode: asked, source: 'environment' };
  const own = await markIn(clone, 'this');
  const mark = own.line === undefined ? await markIn(clone, 'main') : own;
  const tracked = own.tracked || mark.tracked ? { warning: TRACKED } : undefined;
  if (mark.line !== undefined) {
    const source = mark === own ? 'marker' : 'main-worktree';
    return { mode: known(mark.line, MARKER), source, ...tracked };
  }
  const said = DISPATCH_MODES.find((mode) => mode === saidMode(clone.stateDir)) ?? DEFAULT;
  if (said === DEFAULT) return { mode: DEFAULT, source: 'default', ...tracked };
  // Who only commits can bring a marker and take it out again: the person's word stays.
  return { mode: said, source: 'said', ...(tracked ?? { warning: gone(said) }) };
}

/** Writes the marker. Throws `UNKNOWN_DISPATCH_MODE` or `DISPATCH_MODE_MARKER`, and then writes nothing. */
export const markDispatchMode = (
  { topLevel, stateDir }: Pick<Repository, 'topLevel' | 'stateDir'>,
  mode: string,
): DispatchMode => {
  const line = known(mode.trim(), 'the mode');
  writeMarker(topLevel, line);
  keepSaidMode(stateDir, line);
  return line;
};

/** The mode that is asked for whatever the marker says. Throws `UNKNOWN_DISPATCH_MODE`. */
export function modeInEnvironment(env: Variables): DispatchMode | undefined {
  const asked = env[VARIABLE]?.trim();
  return asked ? known(asked, VARIABLE) : undefined;
}

interface Mark {
  readonly line: string | undefined;
  readonly tracked: boolean;
}

/** What a checkout says. Git is only asked where a marker is. */
async function markIn(clone: Clone, checkout: 'this' | 'main'): Promise<Mark> {
  const topLevel = checkout === 'this' ? clone.topLevel : clone.mainTopLevel;
  if (topLevel === undefined || !hasMarker(topLevel)) return { line: undefined, tracked: false };
  if (await clone.tracks(MARKER, checkout)) return { line: undefined, tracked: true };
  return { line: readMarker(topLevel), tracked: false };
}

const TRACKED = `${MARKER} is tracked by git and has no effect: what is in a commit does not say how work is led. Take it out with git rm --cached ${MARKER}, then say it with atelier mode set MODE.`;

/** A person may have taken it away, or a commit that brought it and one that took it out. */
const gone = (said: DispatchMode): string =>
  `atelier mode set has said ${said} for this clone, and that holds, though there is no ${MARKER}. Say which it is: atelier mode set MODE.`;

function known(given: string, where: string): DispatchMode {
  const mode = DISPATCH_MODES.find((one) => one === given);
  if (mode) return mode;
  throw new HostError(
    'UNKNOWN_DISPATCH_MODE',
    `${where} says ${printable(given, 60)}, which is no dispatch mode`,
    `Use ${DISPATCH_MODES.join(' or ')}; atelier mode set MODE writes it.`,
  );
}
