import { printable } from '@atelier/envelope';

/** A text of others for a terminal, line by line: none of it is obeyed, and each line begins with `prefix`. */
export const visibleLines = (text: string, prefix = ''): string =>
  text
    .replace(/\n$/u, '')
    .split('\n')
    .map(
      (line) => `${prefix}${printable(line.replaceAll('\t', '    '), Number.POSITIVE_INFINITY)}\n`,
    )
    .join('');
