import { caseless } from '../core/paths.ts';

/** Turns a path into the text by which it is compared: composed, and without case where the files have none. */
export const foldedBy = (foldCase: boolean | undefined): ((path: string) => string) =>
  foldCase ? caseless : (path) => path.normalize('NFC');
