import type { IntegrationContext, TaskId } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { AcceptanceError } from '../error.ts';
import { lastWords, outputTail } from '../output-tail.ts';
import { runOn } from '../run-on.ts';
import { failureOf, type Shell } from '../shell.ts';
import type { Workspace } from '../workspace.ts';

/** The command that judges merged work. */
export interface Gate {
  readonly command: string;
  readonly shell: Shell;
  readonly commandMs: number;
  readonly onGate?: (note: GateNote) => void;
}

/** What is told of gate runs, while a wave is brought together. */
export type GateNote =
  | {
      readonly kind: 'ran';
      readonly commit: string;
      /** Whose work the commit has beyond what was there before the wave. */
      readonly taskIds: readonly TaskId[];
      readonly green: boolean;
      /** One line: how the command ended. */
      readonly detail: string;
    }
  /** A checkout could not be removed. */
  | { readonly kind: 'left-behind'; readonly path: string; readonly detail: string };

/** What the gate says of one commit. */
export type Verdict =
  | { readonly kind: 'green' }
  | { readonly kind: 'red'; readonly detail: string; readonly findings: string };

/** Asks the gate about a commit; `taskIds` are for the telling. */
export type AskGate = (commit: string, taskIds: readonly TaskId[]) => Promise<Verdict>;

/**
 * A gate that is asked once per commit, each time in a fresh checkout. Files that it passed are not put to it again,
 * by a later host either; red ones are: what was wrong with the world may be mended. A timeout is red. Throws `GATE_NOT_RUN` when
 * the command never ran or was stopped: then nobody’s work has been judged.
 */
export function askedOnce(
  gate: Gate,
  workspace: Workspace,
  { signal, passed, pass }: IntegrationContext,
): AskGate {
  const verdicts = new Map<string, Verdict>();
  return async (commit, taskIds) => {
    const known = verdicts.get(commit);
    if (known) return known;
    const { command, shell, commandMs: timeoutMs } = gate;
    const stage = JSON.stringify(['gate', await workspace.tree(commit), command]);
    if (passed.has(stage)) return GREEN;
    const end = await runOn(commit, {
      ...{ command, shell, workspace, timeoutMs, signal },
      onLeftBehind: (path, detail) => tell(gate, { kind: 'left-behind', path, detail }),
    });
    signal.throwIfAborted();
    const failure = failureOf(end, gate.commandMs);
    if (end.kind === 'failed') throw notRun('could not be run', printable(end.detail));
    if (end.kind === 'stopped') throw notRun('was stopped', lastWords(end.output));
    const verdict: Verdict =
      failure === undefined
        ? GREEN
        : { kind: 'red', detail: failure, findings: outputTail(end.output) };
    verdicts.set(commit, verdict);
    if (failure === undefined) pass(stage, { commit });
    const detail = failure ?? 'passed';
    tell(gate, { kind: 'ran', commit, taskIds, green: failure === undefined, detail });
    return verdict;
  };
}

const GREEN: Verdict = { kind: 'green' };

function tell({ onGate }: Gate, note: GateNote): void {
  try {
    onGate?.(note);
  } catch {
    // Whoever listens is no part of the verdict.
  }
}

function notRun(how: string, why: string): AcceptanceError {
  return new AcceptanceError(
    'GATE_NOT_RUN',
    `the gate ${how}${why === '' ? '' : `: ${why}`}; nothing was merged`,
    'See that the gate command can be started, then resume the run.',
  );
}
