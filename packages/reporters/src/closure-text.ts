import type { Closure } from '@atelier/engine';
import { printable } from '@atelier/envelope';

/** How an attempt ended, for the rest of a line that begins with it. Of notes and findings, the first line at most. */
export function closureText(closure: Closure): string {
  switch (closure.kind) {
    case 'done':
      return 'done';
    case 'abandoned':
      return `gave up: ${printable(closure.category)}: ${printable(closure.reason)}`;
    case 'held':
      return `replied ${printable(closure.status)}${after(firstLine(closure.reply.notes_md))}`;
    case 'rejected':
      return `rejected: ${printable(closure.field)}: ${printable(closure.detail)}`;
    case 'failed':
      return `failed: ${printable(closure.cause)}${after(closure.detail)}`;
  }
}

const LINE = /^\s*(\S[^\n\r\u2028\u2029]*)(\s*\S)?/u;

/** The first line of a text that is not blank; an ellipsis says that there is more. */
export function firstLine(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const [, first = '', more] = LINE.exec(text) ?? [];
  return first.trimEnd() + (more === undefined ? '' : ' …');
}

/** A detail behind a colon; nothing when there is none. */
export const after = (detail: unknown): string =>
  detail === undefined || detail === null || detail === '' ? '' : `: ${printable(detail)}`;
