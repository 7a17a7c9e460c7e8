/** A key that its object already has, and where it is, counted from 1. */
interface DuplicateKey {
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

/** What parsing a text as JSON does not tell. */
export interface JsonScan {
  /** Every repeated key, in order. */
  readonly duplicates: readonly DuplicateKey[];
  /** The most objects and lists that are open at once. */
  readonly depth: number;
}

/** Scans a text that is known to be valid JSON, in linear time and without recursion. */
export function scanJson(json: string): JsonScan {
  const duplicates: DuplicateKey[] = [];
  let depth = 0;
  /** The keys of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let keyNext = false;
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '\n':
        line += 1;
        lineStart = at + 1;
        break;
      case '{':
        open.push(new Set());
        keyNext = true;
        break;
      case '[':
        open.push(undefined);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        keyNext = true;
        break;
      case '"': {
        const end = endOfString(json, at);
        const keys = keyNext ? open.at(-1) : undefined;
        if (keys) {
          const key: string = JSON.parse(json.slice(at, end + 1));
          if (keys.has(key)) duplicates.push({ key, line, column: at - lineStart + 1 });
          keys.add(key);
        }
        keyNext = false;
        at = end;
      }
    }
    depth = Math.max(depth, open.length);
  }
  return { duplicates, depth };
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
