/** The longest answer that is read, in bytes. */
const LONGEST = 2 * 1024 * 1024;

/**
 * The data of each event of a stream, as it arrives. The stream may never end, so whoever has what they wanted just
 * stops. Ends early, without an error, where there is more than 2 MiB; rejects where the connection breaks.
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
}

/** Whole lines. However small the parts are, each of their characters is looked at once. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let held = '';
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > LONGEST) return;
    const text = held + decoder.decode(part, { stream: true });
    // It may be half of a line break.
    held = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield [...begun, line].join('');
      begun = [];
    }
    begun.push(last);
  }
}

/** All of a body as text; undefined where it is longer than 2 MiB. */
export async function wholeText(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > LONGEST) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
