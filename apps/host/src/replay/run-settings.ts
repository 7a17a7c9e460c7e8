import type { HandIn } from '@atelier/briefing';
import type { PlanWorktree } from '@atelier/engine/plan';
import { type JsonValue, replyJsonSchema } from '@atelier/envelope';

/** What is the same for every task of a run. */
export interface RunSettings {
  /** What the host adds, as its version and its agent. */
  readonly host: unknown;
  readonly waveGate?: string | undefined;
  readonly worktree?: PlanWorktree | undefined;
  /** What workers may read beside their worktree and the system. */
  readonly read: readonly string[];
  /** The kind of the walls, or `attested-host` for none. */
  readonly walls: string;
  readonly handIn: HandIn;
}

/** The settings as they go into the keys of a run that is composed of them: the same members in any order. */
export function settingsInKeys({ host, ...given }: RunSettings): JsonValue {
  const { waveGate, worktree, read, walls, handIn } = given;
  const own = { waveGate, worktree, read, walls, handIn, schema: replyJsonSchema() };
  return JSON.parse(JSON.stringify([host, own]));
}
