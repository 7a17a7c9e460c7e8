import { createHash } from 'node:crypto';
import type { WorkOrder } from '@atelier/engine';

/** A UUID (version 8) that follows from the attempt, so that a log line on either side finds the other. */
export function sessionId({ runId, task, attempt, nonce }: WorkOrder): string {
  const hash = createHash('sha256').update(JSON.stringify([runId, task.id, attempt, nonce]));
  const hex = hash.digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
