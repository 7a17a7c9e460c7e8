import { printable } from '@atelier/envelope';

/** Who sent what. */
export interface FencedMessage {
  readonly payload: string;
  readonly senderId: string;
  readonly seq: number;
}

/**
 * A message for the eyes of an agent: an `untrusted` element that no text in it can close and no sender's name can
 * leave. What would move a cursor, hide or reorder text is shown as an escape.
 */
export const fenceMessage = ({ payload, senderId, seq }: FencedMessage): string =>
  `<untrusted source="${attribute(senderId)}" seq="${seq}">${content(payload)}</untrusted>`;

const BETWEEN_TABS_AND_BREAKS = /[^\t\n]+/g;

const content = (text: string): string =>
  escaped(
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(BETWEEN_TABS_AND_BREAKS, (piece) => printable(piece, Number.POSITIVE_INFINITY)),
  );

const NAME_LENGTH = 80;

const attribute = (text: string): string =>
  escaped(printable(text, NAME_LENGTH)).replaceAll('"', '&quot;');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
