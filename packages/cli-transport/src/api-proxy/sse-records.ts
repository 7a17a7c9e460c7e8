const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = Buffer.from('data:');

/** What one record may take while it is put together. A final record of the responses API repeats the whole answer. */
const LONGEST = 8 * 1024 * 1024;

/**
 * Reads the JSON records of an event stream, in whatever pieces it comes. Total: what is no JSON, or longer than
 * `longest` bytes, is passed over, and takes no memory.
 */
export function sseRecords(
  tell: (record: unknown) => void,
  longest: number = LONGEST,
): { read(chunk: Buffer): void } {
  let pieces: Buffer[] = [];
  let held = 0;
  let data: Buffer[] = [];
  let kept = 0;
  let tooLong = false;

  const hold = (piece: Buffer) => {
    held += piece.length;
    if (held + kept > longest) tooLong = true;
    if (tooLong) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const endLine = () => {
    const line = withoutReturn(Buffer.concat(pieces));
    if (held === 0 || (held === 1 && line.length === 0)) endRecord();
    else if (!tooLong && line.subarray(0, DATA.length).equals(DATA)) {
      data.push(line.subarray(DATA.length));
      kept += line.length;
    }
    pieces = [];
    held = 0;
  };
  const endRecord = () => {
    const record = tooLong || data.length === 0 ? undefined : parsed(data);
    data = [];
    kept = 0;
    tooLong = false;
    if (record !== undefined) tell(record);
  };

  return {
    read(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
        hold(chunk.subarray(from, at));
        endLine();
        from = at + 1;
      }
      // A piece of a chunk would keep all of it.
      if (from < chunk.length) hold(Buffer.from(chunk.subarray(from)));
    },
  };
}

const withoutReturn = (line: Buffer): Buffer =>
  line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;

function parsed(data: readonly Buffer[]): unknown {
  try {
    return JSON.parse(data.join('\n'));
  } catch {
    return undefined;
  }
}
