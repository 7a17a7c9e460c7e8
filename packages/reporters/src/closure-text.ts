import type { Closure } from '@atelier/engine';
import { printable } from '@atelier/envelope';

/** How an attempt ended, for the rest of a line that begins with it. */
export function closureText(closure: Closure): string {
  switch (closure.kind) {
    case 'done':
      return 'done';
    case 'abandoned':
      return `gave up: ${printable(closure.category)}: ${printable(closure.reason)}`;
    case 'held':
      return `replied ${printable(closure.status)}${after(closure.reply.notes_md)}`;
    case 'rejected':
      return `rejected: ${printable(closure.field)}: ${printable(closure.detail)}`;
    case 'failed':
      return `failed: ${printable(closure.cause)}${after(closure.detail)}`;
  }
}

/** A detail behind a colon; nothing when there is none. */
export const after = (detail: unknown): string =>
  detail === undefined || detail === null || detail === '' ? '' : `: ${printable(detail)}`;
