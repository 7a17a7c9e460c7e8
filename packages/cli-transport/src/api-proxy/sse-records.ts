import { gathered } from './gathered.ts';

const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = Buffer.from('data:');
const LINE_BREAK = Buffer.from('\n');

/** What one record may take while it is put together. A final record of the responses API repeats the whole answer. */
const LONGEST = 8 * 1024 * 1024;

/**
 * Reads the JSON records of an event stream, in whatever pieces it comes. Total: what is no JSON, or longer than
 * `longest` bytes, is passed over, and takes no memory. What it costs follows from the bytes, not from the lines.
 */
export function sseRecords(
  tell: (record: unknown) => void,
  longest: number = LONGEST,
): { read(chunk: Buffer): void } {
  /** The beginning of a line whose end has not come yet. */
  const begun = gathered(longest);
  const data = gathered(longest);
  let isBegun = false;
  let tooLong = false;

  const endLine = (line: Buffer) => {
    const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    if (text.length === 0) return endRecord();
    if (tooLong || !text.subarray(0, DATA.length).equals(DATA)) return;
    tooLong = !(data.add(text.subarray(DATA.length)) && data.add(LINE_BREAK));
  };
  const endRecord = () => {
    const record = tooLong || data.size() === 0 ? undefined : parsed(data.bytes());
    if (data.size() > 0 || tooLong) data.clear();
    tooLong = false;
    if (record !== undefined) tell(record);
  };
  const hold = (piece: Buffer) => {
    isBegun = true;
    if (!begun.add(piece)) tooLong = true;
  };

  return {
    read(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
        // Nothing is made for an empty line, of which a stream may have millions.
        if (at === from && !isBegun) endRecord();
        else if (!isBegun) endLine(chunk.subarray(from, at));
        else {
          hold(chunk.subarray(from, at));
          const line = begun.bytes();
          isBegun = false;
          // Of a line that is too long nothing is left, which is not an empty line.
          if (line.length > 0) endLine(line);
          begun.clear();
        }
        from = at + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
    },
  };
}

function parsed(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}
