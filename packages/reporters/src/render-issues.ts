import { printable } from '@atelier/envelope';

/** The part of an issue that people read. */
export interface RenderedIssue {
  /** Where it is; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

const LONGEST = 600;

/** One line for each defect: where, who and why, and the way out. Empty when there is none. */
export const renderIssues = (issues: readonly RenderedIssue[]): string =>
  issues
    .map(({ path, message, fix }) => {
      const place = path === '' ? '' : `${printable(path, LONGEST)}: `;
      return `${place}${printable(message, LONGEST)}. ${printable(fix, LONGEST)}\n`;
    })
    .join('');
