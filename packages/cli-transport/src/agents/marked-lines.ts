import { jsonObject } from '../json-lines.ts';

/** Of the lines that look like one of the program's own and are not: far more than any program prints. */
const MOST_BROKEN = 500;

/** The lines of a text in which a pattern, which must be global, matches. Takes time in proportion to the text. */
export function* markedLines(text: string, mark: RegExp): Generator<string> {
  let from = 0;
  for (;;) {
    mark.lastIndex = from;
    const hit = mark.exec(text);
    if (!hit) return;
    const start = text.lastIndexOf('\n', hit.index) + 1;
    const end = text.indexOf('\n', hit.index);
    yield text.slice(start, end < 0 ? text.length : end);
    if (end < 0) return;
    from = end + 1;
  }
}

/**
 * Reads lines as the JSON objects that they are; undefined for any other. Refusing a broken one takes a thousand times as
 * long as its writing, so of those that still look whole some hundreds are borne, and after them no line is read any more.
 */
export function lineReader(): (line: string) => Record<string, unknown> | undefined {
  let broken = 0;
  return (line) => {
    if (broken >= MOST_BROKEN || !looksWhole(line)) return undefined;
    const object = jsonObject(line);
    if (!object) broken += 1;
    return object;
  };
}

/** Unlike JSON, `trim` takes a byte order mark for white space. */
const looksWhole = (line: string): boolean => {
  const text = line.trim();
  return text.startsWith('{') && text.endsWith('}');
};
