import type { AttemptReport } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AgentExit } from '../../agent.ts';
import { failureOf, failureOfLine } from './failure.ts';
import { toldLimitEnd } from './limit-event.ts';
import { plainLines } from './output-lines.ts';
import { type ResultRecord, readResult, replyOf } from './result-record.ts';
import { usageOf } from './usage.ts';

const DETAIL = 400;

type Failed = Extract<AttemptReport, { kind: 'failed' }>;

/**
 * What the end of the program amounts to. A reply counts only with exit 0 and one result record that says success in
 * every field, unless we ended the program after that record. Total: any output has a report.
 */
export function reportOf(exit: AgentExit, nowMs: number): AttemptReport {
  const reading = readResult(exit.stdout);
  if (reading.kind === 'one') return withRecord(exit, reading.record, nowMs);
  if (reading.kind === 'several') {
    return failed(exit, 'no-reply', `${reading.count} result records where one belongs`);
  }
  return withoutRecord(exit, nowMs);
}

function withRecord(exit: AgentExit, record: ResultRecord, nowMs: number): AttemptReport {
  const usage = usageOf(record);
  const reply = replyOf(record);
  const ended = exit.exitCode === 0 || exit.endedAfterReply;
  if (reply !== undefined && ended) return { kind: 'replied', reply, usage };
  const kept = record['structured_output'] ?? undefined;
  const more = { usage, ...(kept === undefined ? {} : { reply: kept }) };
  if (reply !== undefined) {
    return { ...failed(exit, 'exit', `${endOf(exit)} after a result${lastWords(exit)}`), ...more };
  }
  if (record['subtype'] === 'success' && record['is_error'] === false) {
    return { ...failed(exit, 'no-reply', 'success without structured output'), ...more };
  }
  const { cause, detail, ...rest } = failureOf(record, nowMs);
  const until = cause === 'usage-limit' ? toldLimitEnd(exit.stdout) : {};
  return { ...failed(exit, cause, detail), ...rest, ...until, ...more };
}

function withoutRecord(exit: AgentExit, nowMs: number): AttemptReport {
  for (const line of plainLines(exit.stdout)) {
    const told = failureOfLine(line, nowMs);
    if (told) return { ...failed(exit, told.cause, told.detail), ...told };
  }
  const bytes = `no complete result record in ${exit.stdoutBytes} bytes of output`;
  if (exit.exitCode === 0) return failed(exit, 'no-reply', bytes);
  return failed(exit, 'exit', `${endOf(exit)}, ${bytes}${lastWords(exit)}`);
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
