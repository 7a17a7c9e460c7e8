import { constants } from 'node:os';
import type { AttemptReport, FailCause, Usage } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AgentExit } from './agent.ts';
import type { Worker } from './attempt-handle.ts';
import { hasReported } from './attempt-meta.ts';
import { boundedReport } from './bounded-report.ts';
import type { Limits, Settings } from './options.ts';
import { cutSpool, readSpool, type SpoolContent } from './spool.ts';
import { type ExitRecord, endedByTimer, readExit } from './supervisor.ts';

/** Why we ended a worker. */
export type Ending =
  | { readonly kind: 'stopped'; readonly reason: string }
  | { readonly kind: 'limit' }
  /** Something that it started has cut its output, and so may have written all that is left. */
  | { readonly kind: 'forged' }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'drained' };

/** How a worker came to its end. */
export interface Course {
  /** Undefined when it ended by itself. */
  readonly ending: Ending | undefined;
  /** What it has told of its usage on the way. */
  readonly usage: Usage;
}

/**
 * What the end of a worker amounts to, once nothing of it is left. Reads what it has left behind. However it ended, the
 * report has the usage that is known: what the agent makes of the end, and for the rest what was told on the way; and no
 * more of anything than can be.
 */
export function settle(
  worker: Worker,
  { ending, usage }: Course,
  settings: Settings,
): AttemptReport {
  const report = judged(worker, ending, settings);
  const known: Usage = { ...usage, ...report.usage };
  const whole = Object.keys(known).length === 0 ? report : { ...report, usage: known };
  return boundedReport(whole, settings.clock.wall());
}

function judged(
  { order, folder, origin }: Worker,
  ending: Ending | undefined,
  { agent, limits }: Settings,
): AttemptReport {
  const content = readSpool(folder, limits);
  cutSpool(folder, content, limits);
  const excess = excessOf(content, limits);
  if (excess !== undefined) return failed('output-limit', excess);
  if (ending?.kind === 'stopped')
    return failed('interrupted', `ended: ${printable(ending.reason)}`);
  if (ending?.kind === 'forged')
    return failed(
      'no-reply',
      'its standard output was cut while it ran; what is left is not its own',
    );
  if (content.replyFault === 'unreadable')
    return failed('no-reply', 'the reply file is not a plain file that can be read');

  const { output } = content;
  const record = readExit(folder);
  const outOfTime = ending?.kind === 'deadline' || (record !== undefined && endedByTimer(record));
  // Nobody wrote down how it ended: an earlier host has ended it, or someone else did.
  const unknown = origin !== 'started' && !record;
  const ended = outOfTime || unknown || ending?.kind === 'drained';
  const exit: AgentExit = { ...output, ...statusOf(record), endedAfterReply: false };
  if (ended && agent.replyIn(output, order) !== undefined)
    return agent.report({ ...exit, endedAfterReply: true }, order);
  if (outOfTime) return failed('timeout', 'it ran past its wall clock and was ended');
  if (record) return agent.report(exit, order);
  return hasReported(folder)
    ? failed('lost', 'its supervisor was ended before it could tell how the program ended')
    : failed('spawn', `its supervisor could not write to ${printable(folder.path)}`);
}

const failed = (cause: FailCause, detail: string): AttemptReport => ({
  kind: 'failed',
  cause,
  detail,
});

function excessOf(
  { output, stderrBytes, replyBytes }: SpoolContent,
  limits: Limits,
): string | undefined {
  const wrote = (bytes: number, where: string, limit: number) =>
    bytes > limit ? `it wrote ${bytes} bytes to ${where}; the limit is ${limit}` : undefined;
  return (
    wrote(output.stdoutBytes, 'its standard output', limits.stdoutBytes) ??
    wrote(stderrBytes, 'its standard error', limits.stdoutBytes) ??
    wrote(replyBytes, 'its reply file', limits.replyBytes)
  );
}

const SIGNAL_BASE = 128;

const SIGNAL_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

/** Behind walls a program that exits with 128 + n and one that signal n ended can not be told apart. */
function statusOf(record: ExitRecord | undefined): Pick<AgentExit, 'exitCode' | 'signal'> {
  const signal = record && SIGNAL_NAMES.get(record.status - SIGNAL_BASE);
  return { exitCode: signal === undefined ? record?.status : undefined, signal };
}
