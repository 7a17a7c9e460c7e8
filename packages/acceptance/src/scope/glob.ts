import { expandBraces } from './expand-braces.ts';

/** Some characters of a pattern mean more than themselves. */
export const isGlob = (pattern: string): boolean => /[*?[\]{}\\]/.test(pattern);

/**
 * Compiles a pattern of whole paths: `**` for any folders, `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, and `\` before a
 * character that stands for itself. Dots are nothing special. Not a regular expression: those can take longer than
 * a run for a path that was made for it, and paths are foreign; this takes at most length times length.
 */
export function glob(pattern: string): (path: string) => boolean {
  // At the end of a pattern `**` is what is in a folder, not the folder itself.
  const alternatives = expandBraces(pattern).map((one) =>
    one
      .replace(/(^|\/)\*\*$/, '$1**/*')
      .split('/')
      .map(segmentOf),
  );
  return (path) => {
    const segments = path.split('/');
    return alternatives.some((tests) => matches(tests, segments));
  };
}

type Test<T> = (item: T) => boolean;

/** Stands for any number of items. */
const ANY = 'any';

/** Only the last `ANY` that was met is ever tried again: what an earlier one could take, it can, too. */
function matches<T>(tests: readonly (Test<T> | typeof ANY)[], items: readonly T[]): boolean {
  let test = 0;
  let retry: { readonly test: number; at: number } | undefined;
  for (let at = 0; at < items.length; ) {
    const [current, item] = [tests[test], items[at]];
    if (current === ANY) {
      test += 1;
      retry = { test, at };
    } else if (current && item !== undefined && current(item)) {
      test += 1;
      at += 1;
    } else if (retry) {
      test = retry.test;
      retry.at += 1;
      at = retry.at;
    } else return false;
  }
  return tests.slice(test).every((rest) => rest === ANY);
}

function segmentOf(pattern: string): Test<string> | typeof ANY {
  if (pattern === '**') return ANY;
  if (!isGlob(pattern)) return (segment) => segment === pattern;
  const tests = characterTests([...pattern]);
  return (segment) => matches(tests, [...segment]);
}

function characterTests(pattern: readonly string[]): (Test<string> | typeof ANY)[] {
  const tests: (Test<string> | typeof ANY)[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    const end = character === '[' ? classEnd(pattern, at) : -1;
    if (character === '*') tests.push(ANY);
    else if (character === '?') tests.push(() => true);
    else if (end > 0) {
      tests.push(classTest(pattern.slice(at + 1, end)));
      at = end;
    } else if (character === '\\') {
      at += 1;
      tests.push(same(pattern[at] ?? '\\'));
    } else tests.push(same(character));
  }
  return tests;
}

const same =
  (expected: string): Test<string> =>
  (character) =>
    character === expected;

/** Where a class ends, or -1: then the bracket is a bracket. One that comes first is in the class. */
function classEnd(pattern: readonly string[], start: number): number {
  const first = start + (isNot(pattern[start + 1]) ? 2 : 1);
  return pattern.indexOf(']', first + 1);
}

const isNot = (character: string | undefined) => character === '!' || character === '^';

function classTest(members: readonly string[]): Test<string> {
  const negated = isNot(members[0]);
  const list = negated ? members.slice(1) : members;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < list.length; at += 1) {
    const from = list[at] ?? '';
    const to = list[at + 1] === '-' ? list[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (character) =>
    negated !== ranges.some(([from, to]) => from <= character && character <= to);
}
