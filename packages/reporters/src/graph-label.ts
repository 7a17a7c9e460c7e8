import { printable } from '@atelier/envelope';

/** What stands for itself in a quoted label: letters, digits, and marks without any meaning there. */
const PLAIN = /[^\p{L}\p{M}\p{N} ._,/-]/gu;

/**
 * Foreign text as the inside of a quoted Mermaid label, at most so many characters of it. Everything that could end the
 * quote, start a comment, a directive, an entity or markup is an entity code of Mermaid’s own.
 */
export const graphLabel = (text: unknown, longest: number): string =>
  printable(text, longest).replace(PLAIN, (character) => `#${character.codePointAt(0) ?? 0};`);
