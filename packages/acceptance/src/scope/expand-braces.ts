/** A pattern that means more than this is a mistake; then it means nothing. */
const MOST = 1_000;

/** `a{b,c{d,e}}` as `ab`, `acd`, `ace`. Braces without a comma, and those that do not close, stay as they are. */
export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = firstGroup(next);
    if (!found) done.push(next);
    else {
      const { before, choices, after } = found;
      open.push(...choices.map((choice) => `${before}${choice}${after}`).reverse());
    }
    if (done.length + open.length > MOST) return [];
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

function firstGroup(pattern: string): Group | undefined {
  for (let start = 0; start < pattern.length; start += 1) {
    if (pattern[start] === '\\') start += 1;
    else if (pattern[start] === '{') {
      const group = groupAt(pattern, start);
      if (group) return group;
    }
  }
  return undefined;
}

/** The group that opens here, if it closes and has a choice. */
function groupAt(pattern: string, start: number): Group | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}' || (character === ',' && depth === 1)) {
      if (depth === 1) {
        choices.push(pattern.slice(from, at));
        from = at + 1;
      }
      if (character === '}') depth -= 1;
      if (depth > 0) continue;
      if (choices.length < 2) return undefined;
      return { before: pattern.slice(0, start), choices, after: pattern.slice(at + 1) };
    }
  }
  return undefined;
}
