import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { WorkOrder } from '@atelier/engine';
import type { AttemptFolder } from './attempt-folder.ts';
import { bootId, sinceBootMs } from './machine-clock.ts';
import { isRunning, type ProcessIdentity, parseStat } from './process-table.ts';

/** What a later host needs to know a worker again. */
export interface AttemptMeta {
  readonly taskId: string;
  readonly attempt: number;
  readonly nonce: string;
  readonly bootId: string;
  /** The end of the wall clock and of the supervisor's own timer, in monotonic milliseconds of that boot. */
  readonly deadlineMs: number;
  readonly backstopMs: number;
}

export function metaOf(order: WorkOrder, orphanGraceMs: number): AttemptMeta {
  const deadlineMs = sinceBootMs() + order.wallClockMs;
  return {
    taskId: String(order.task.id),
    attempt: order.attempt,
    nonce: order.nonce,
    bootId: bootId() ?? '',
    deadlineMs,
    backstopMs: deadlineMs + orphanGraceMs,
  };
}

export function writeMeta(folder: AttemptFolder, meta: AttemptMeta): void {
  writeFileSync(folder.meta, `${JSON.stringify(meta)}\n`, { mode: 0o600 });
}

/** Undefined when there is none, when it is not whole, or when the machine was started again since. */
export function readMeta(folder: AttemptFolder): AttemptMeta | undefined {
  const meta = parsed(folder.meta);
  return isMeta(meta) && meta.bootId !== '' && meta.bootId === bootId() ? meta : undefined;
}

/** The supervisor, if it still lives; a later process with its number is not it. */
export function livingSupervisor(folder: AttemptFolder): ProcessIdentity | undefined {
  try {
    const stat = parseStat(readFileSync(folder.supervisor, 'latin1'));
    return stat && isRunning(stat) ? { pid: stat.pid, startTime: stat.startTime } : undefined;
  } catch {
    return undefined;
  }
}

/** False for a supervisor that could not even say who it is; then it has started nothing. */
export function hasReported({ supervisor }: AttemptFolder): boolean {
  try {
    return statSync(supervisor).size > 0;
  } catch {
    return false;
  }
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function isMeta(value: unknown): value is AttemptMeta {
  if (typeof value !== 'object' || value === null) return false;
  const meta = value as Record<keyof AttemptMeta, unknown>;
  const texts = [meta.taskId, meta.nonce, meta.bootId];
  const numbers = [meta.attempt, meta.deadlineMs, meta.backstopMs];
  return (
    texts.every((one) => typeof one === 'string') && numbers.every((one) => Number.isFinite(one))
  );
}
