import type { Dialogue } from '../git/kept-git.ts';
import { DIFFERENCE } from './changed-paths.ts';

export interface TwoTrees {
  readonly before: string;
  readonly after: string;
}

/** What two trees differ in: pairs of a change and its path, then the lines of each, as fields that end in NUL. */
export const DIFFERENCES: Dialogue<TwoTrees, Buffer> = {
  command: [...DIFFERENCE, '--raw', '--numstat', '--stdin'],
  // Git says again what names no object, and by then it has said all that is before it.
  textOf: ({ before, after }) => `${before} ${after}\n${END}`,
  read(bytes, { before, after }) {
    const head = `${before} ${after}\n`;
    if (!bytes.subarray(-END.length).equals(END_BYTES))
      return { kind: 'partial', wanted: bytes.length + 1 };
    if (!bytes.subarray(0, head.length).equals(Buffer.from(head)))
      throw new Error('it does not find the trees');
    const end = endOf(bytes, head.length);
    if (end === undefined) return { kind: 'partial', wanted: bytes.length + 1 };
    return { kind: 'whole', answer: bytes.subarray(head.length, end), used: end + END.length };
  },
};

/** Where the fields that begin there end. A change is followed by its path, which may look like anything. */
function endOf(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; ) {
    if (bytes.subarray(at, at + END.length).equals(END_BYTES)) return at;
    for (let fields = bytes[at] === COLON ? 2 : 1; fields > 0; fields -= 1) {
      const end = bytes.indexOf(0, at);
      if (end < 0) return undefined;
      at = end + 1;
    }
  }
  return undefined;
}

const END = 'end\n';
const END_BYTES = Buffer.from(END);
const COLON = ':'.charCodeAt(0);
