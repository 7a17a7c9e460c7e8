import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { WorkOrder } from '@atelier/engine';
import type { AttemptFolder } from './attempt-folder.ts';
import { sinceBootMs } from './machine-clock.ts';
import type { Settings } from './options.ts';
import { pidNamespaceOf } from './process-table.ts';

/** What a later host needs to know a worker again. */
export interface AttemptMeta {
  readonly taskId: string;
  readonly attempt: number;
  readonly nonce: string;
  /** Empty where the machine does not tell; then it is that of no later host. */
  readonly bootId: string;
  /** Where the supervisor's number means something. Empty where the machine has none. */
  readonly pidNamespace: string;
  /** The end of the wall clock and of the supervisor's own timer, in monotonic milliseconds of that boot. */
  readonly deadlineMs: number;
  readonly backstopMs: number;
  /** ISO 8601, for people: no decision reads it. */
  readonly startedAt: string;
}

export function metaOf(order: WorkOrder, { limits, clock, bootId }: Settings): AttemptMeta {
  const deadlineMs = sinceBootMs() + order.wallClockMs;
  return {
    taskId: String(order.task.id),
    attempt: order.attempt,
    nonce: order.nonce,
    bootId: bootId() ?? '',
    pidNamespace: pidNamespaceOf('self'),
    deadlineMs,
    backstopMs: deadlineMs + limits.orphanGraceMs,
    startedAt: new Date(clock.wall()).toISOString(),
  };
}

export function writeMeta(folder: AttemptFolder, meta: AttemptMeta): void {
  writeFileSync(folder.meta, `${JSON.stringify(meta)}\n`, { mode: 0o600 });
}

/** Undefined when there is none, or when it is not whole. It may be of an earlier boot: see {@link isOfThisBoot}. */
export function readMeta(folder: AttemptFolder): AttemptMeta | undefined {
  const meta = parsed(folder.meta);
  return isMeta(meta) ? meta : undefined;
}

/** False when the machine was started again since: then nothing lives, and the times mean nothing. */
export const isOfThisBoot = (meta: AttemptMeta, { bootId }: Settings): boolean =>
  meta.bootId !== '' && meta.bootId === bootId();

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
  const texts = [meta.taskId, meta.nonce, meta.bootId, meta.pidNamespace, meta.startedAt];
  const numbers = [meta.attempt, meta.deadlineMs, meta.backstopMs];
  return (
    texts.every((one) => typeof one === 'string') && numbers.every((one) => Number.isFinite(one))
  );
}
