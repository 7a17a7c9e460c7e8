import type { AttemptReport, Usage } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AgentExit } from '../../agent.ts';
import { failureOf } from './failure.ts';
import { readTurn, replyOf, type Turn } from './turn.ts';
import { usageOf } from './usage.ts';

const DETAIL = 400;

type Failed = Extract<AttemptReport, { kind: 'failed' }>;

/**
 * What the end of the program amounts to. A reply counts only with exit 0 and one turn that ended well, unless we ended
 * the program after that turn. Total: any output has a report.
 */
export function reportOf(exit: AgentExit, nowMs: number): AttemptReport {
  const turn = readTurn(exit.stdout);
  const usage = usageIn(turn);
  const reply = replyOf(turn);
  if (reply !== undefined) {
    if (exit.exitCode === 0 || exit.endedAfterReply) return { kind: 'replied', reply, ...usage };
    const detail = `${endOf(exit)} after a reply${lastWords(exit)}`;
    return { ...failed(exit, 'exit', detail), reply, ...usage };
  }
  if (turn.failure !== undefined) {
    const { cause, detail, ...rest } = failureOf(turn.failure, nowMs);
    return { ...failed(exit, cause, detail), ...rest, ...usage };
  }
  return { ...withoutReply(exit, turn), ...usage };
}

function withoutReply(exit: AgentExit, { completed, message }: Turn): Failed {
  if (completed > 1) return failed(exit, 'no-reply', `${completed} turns where one belongs`);
  if (completed === 1) {
    const what = message === undefined ? 'there is none' : `it begins ${printable(message, 60)}`;
    return failed(exit, 'no-reply', `the last message is not one JSON object: ${what}`);
  }
  const bytes = `no complete turn in ${exit.stdoutBytes} bytes of output`;
  if (exit.exitCode === 0) return failed(exit, 'no-reply', bytes);
  return failed(exit, 'exit', `${endOf(exit)}, ${bytes}${lastWords(exit)}`);
}

function usageIn({ usage: told }: Turn): { usage?: Usage } {
  const usage = usageOf(told);
  return Object.keys(usage).length === 0 ? {} : { usage };
}

function failed({ exitCode }: AgentExit, cause: Failed['cause'], detail: string): Failed {
  return { kind: 'failed', cause, detail, ...(exitCode === undefined ? {} : { exitCode }) };
}

const endOf = ({ exitCode, signal }: AgentExit): string =>
  exitCode === undefined ? `ended by ${signal ?? 'an unknown signal'}` : `exit code ${exitCode}`;

/** The last line of the error output: where the program explains a call that it does not like. */
function lastWords({ stderr }: AgentExit): string {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${printable(line, DETAIL)}`;
}
