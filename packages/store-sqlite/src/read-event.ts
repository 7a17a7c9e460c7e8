import type { RunEvent } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { chainLink, type Link } from './chain.ts';
import { displayText, keyText } from './column-text.ts';
import { StoreError } from './error.ts';
import { isObject } from './evidence.ts';
import type { EventRow } from './schema.ts';

/** A row of the event log that is not what was appended, and how that shows. */
export interface BadRow {
  readonly runId: string;
  readonly seq: number;
  readonly why: string;
}

/** An event with its place in the chain, or why its row is not what was appended. */
export type Reading =
  | { readonly event: RunEvent; readonly link: Link; readonly why?: undefined }
  | { readonly why: string };

/** Reads the row that follows `before`: its place, its hash, its text, and the columns that repeat its text. */
export function readEvent(row: EventRow, before: Link): Reading {
  const { seq, hash, payload_json } = row;
  if (seq !== before.seq + 1) return { why: `event ${before.seq + 1} is missing before it` };
  if (hash === null) return { why: 'it has no hash' };
  if (chainLink(before.hash, payload_json) !== hash)
    return { why: 'its hash does not follow from its text and the event before it' };
  const event = parsed(payload_json);
  if (event === undefined) return { why: 'its text is no event' };
  const column = columnThatDiffers(row, event);
  if (column) return { why: `its column ${column} differs from its text` };
  return { event, link: { seq, hash } };
}

/** `STORE_TAMPERED`, of one run: the others can still be read. */
export const tampered = ({ runId, seq, why }: BadRow): StoreError =>
  new StoreError(
    'STORE_TAMPERED',
    `run ${printable(runId)} was changed outside of this program: event ${seq}: ${why}`,
    'Nothing of this run is used; other runs are not affected. See atelier verify; put back a copy of the store with its -wal and .tip files, or start a new run.',
  );

function parsed(text: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What every event has. Types are not told apart: the chain tells that this program wrote it. */
const isEvent = (value: unknown): value is RunEvent =>
  isObject(value) &&
  typeof value['type'] === 'string' &&
  typeof value['runId'] === 'string' &&
  typeof value['seq'] === 'number' &&
  typeof value['at'] === 'string';

function columnThatDiffers(row: EventRow, event: RunEvent): string | undefined {
  if (row.run_id !== keyText(event.runId)) return 'run_id';
  if (row.seq !== event.seq) return 'seq';
  if (row.type !== event.type) return 'type';
  return row.at === displayText(event.at) ? undefined : 'at';
}
