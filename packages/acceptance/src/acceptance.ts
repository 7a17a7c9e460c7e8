import type { Acceptance } from '@atelier/engine';
import { accept } from './accept/accept.ts';
import { AcceptanceError } from './error.ts';
import type { GateNote } from './integrate/gate.ts';
import { integrate } from './integrate/integrate.ts';
import { commandOf } from './needs-shell.ts';
import type { Shell } from './shell.ts';
import type { Workspace } from './workspace.ts';

export interface AcceptanceOptions {
  readonly workspace: Workspace;
  /** Runs `verify` and gate commands. Without one a task that has a `verify` is never accepted. */
  readonly shell?: Shell;
  /** The command that has to pass on the merged wave. */
  readonly gate?: string;
  /** The bound of one `verify` or gate command, in milliseconds. */
  readonly commandMs: number;
  /** Told of gate runs. What it throws changes nothing. */
  readonly onGate?: (note: GateNote) => void;
}

/**
 * What must hold before a `done` counts: `accept` checks one attempt, `integrate` merges a wave and has the gate
 * judge it. Reviews come between the two and are the engine’s. Throws `SHELL_REQUIRED` for a gate without
 * a shell, `INVALID_COMMAND_MS` for no bound.
 */
export function acceptance(options: AcceptanceOptions): Acceptance {
  const { workspace, shell, commandMs, onGate } = options;
  if (!Number.isSafeInteger(commandMs) || commandMs < 1)
    throw new AcceptanceError(
      'INVALID_COMMAND_MS',
      `commandMs is ${commandMs}`,
      'Give the milliseconds that one command may take, as an integer of at least 1.',
    );
  const command = commandOf(options.gate);
  if (command !== undefined && !shell)
    throw new AcceptanceError(
      'SHELL_REQUIRED',
      'there is a gate command, and no shell to run it',
      'Give a confined shell, or run without a gate.',
    );
  const seams = { workspace, commandMs, ...(shell && { shell }) };
  const gate =
    command !== undefined && shell
      ? { command, shell, commandMs, ...(onGate && { onGate }) }
      : undefined;
  return {
    accept: ({ task, attempt }, reply, context) => accept(seams, { task, attempt, reply }, context),
    integrate: (_wave, accepted, context) =>
      integrate({ workspace, accepted, context, ...(gate && { gate }) }),
  };
}
