import type { Dialogue } from './kept-git.ts';

/** Takes the paths of files that hold objects of a type, writes them for good and answers with their names. */
export const writtenObjects = (type: 'commit' | 'tree'): Dialogue<string, string> => ({
  command: ['hash-object', '-t', type, '-w', '--stdin-paths', '--no-filters'],
  lasting: 'each',
  textOf: (path) => `${path}\n`,
  read(bytes) {
    const end = bytes.indexOf('\n');
    if (end < 0) return { kind: 'partial', wanted: bytes.length + 1 };
    return { kind: 'whole', answer: bytes.toString('latin1', 0, end), used: end + 1 };
  },
});
