const NUL = Buffer.from([0]);

/** The parts of a NUL-separated list, as bytes: names need not be UTF-8. */
export function splitNul(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0, start);
    if (end < 0) break;
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) parts.push(bytes.subarray(start));
  return parts;
}

/** A list for git’s `-z --stdin`. */
export const joinNul = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat(parts.flatMap((part) => [part, NUL]));

/** A name for people; bytes that are not UTF-8 become U+FFFD. */
export const nameOf = (path: Buffer): string => path.toString('utf8');

const SLASH = Buffer.from('/');

/** A path below a folder, as bytes. */
export const belowFolder = (folder: Buffer, path: Buffer): Buffer =>
  Buffer.concat([folder, SLASH, path]);
