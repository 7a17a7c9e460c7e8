import { printable } from './printable.ts';

const SPECIAL = /[\\`*_{}[\]<>()|~&!]/gu;

/** What sites make links and mentions of, though it is no markup. A comment in it keeps them from it and does not show. */
const LINKS = /@|#(?=\d)|:(?=\/\/)|www(?=\.)/giu;

/** Marks that make something else of a line that begins with them. */
const BEGINNING = /^(?:\d+(?=[.)])|(?=[#+=-]))/u;

/** Foreign text on one line of Markdown: nothing in it is markup, a mention, a link or a cell's end. */
export const markdownText = (text: unknown, most = 300): string =>
  printable(text, most)
    .replaceAll(SPECIAL, (character) => `\\${character}`)
    .replaceAll(LINKS, (mark) => `${mark}<!-- -->`)
    .replace(BEGINNING, (mark) => `${mark}\\`);
