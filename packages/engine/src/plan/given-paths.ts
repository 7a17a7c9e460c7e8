import { isPattern, literalsOf } from '../core/places.ts';
import { isObject } from '../core/task-issues/task-fields.ts';
import { type Ends, nameEnds } from './name-ends.ts';
import { isWorktreePath } from './path-issues.ts';
import { beginningOf } from './places.ts';

/**
 * Whether a fresh worktree may have a path through `worktree.copy` or `link`. Those are files that git does not know,
 * so what begins like an entry is taken on trust, or, of one that may begin like anything, what has its last name.
 */
export function givenPaths(
  worktree: unknown,
  fold: (path: string) => string,
): (path: string) => boolean {
  const { copy, link }: { readonly copy?: unknown; readonly link?: unknown } = isObject(worktree)
    ? worktree
    : {};
  const beginnings: string[] = [];
  const names = nameEnds();
  for (const list of [copy, link]) {
    const entries: readonly unknown[] = Array.isArray(list) ? list : [];
    for (const entry of entries) {
      if (!isWorktreePath(entry)) continue;
      for (const one of alternatives(fold(entry))) {
        const beginning = beginningOf(one);
        if (beginning !== '') beginnings.push(beginning);
        else names.add(lastName(one));
      }
    }
  }
  const shortest = withoutLonger(beginnings.sort());
  return (path) => {
    const text = fold(path);
    const nearest = lastUpTo(shortest, text);
    return (nearest !== undefined && text.startsWith(nearest)) || names.endAny(text.split('/'));
  };
}

/** More of them are nobody's. */
const MOST_BRACES = 8;
const MOST_ALTERNATIVES = 64;

/** A pattern with its braces written out, the innermost first; as it is, where they are too many. */
function alternatives(pattern: string): readonly string[] {
  let all = [pattern];
  for (let braces = 0; braces < MOST_BRACES; braces += 1) {
    const next = all.flatMap((one) => {
      const [whole, inside = ''] = /\{([^{}]*)\}/u.exec(one) ?? [];
      return whole === undefined
        ? [one]
        : inside.split(',').map((part) => one.replace(whole, () => part));
    });
    if (next.length > MOST_ALTERNATIVES) return [pattern];
    all = next;
  }
  return all;
}

/** What the last part with letters of its own begins and ends with; the whole of it where it has nothing wild. */
function lastName(pattern: string): Ends | undefined {
  for (const part of pattern.split('/').reverse()) {
    if (part === '' || part === '.') continue;
    if (!isPattern(part)) return { whole: part };
    const texts = literalsOf(part);
    const [begin = '', end = ''] = [texts[0], texts.at(-1)];
    if (begin !== '' || end !== '') return { begin, end };
  }
  return undefined;
}

/** Sorted texts without those that begin with another of them, which comes right before them. */
function withoutLonger(sorted: readonly string[]): string[] {
  const kept: string[] = [];
  for (const text of sorted) {
    const last = kept.at(-1);
    if (last === undefined || !text.startsWith(last)) kept.push(text);
  }
  return kept;
}

/** Of texts of which none begins with another, the only one with which `text` can begin. */
function lastUpTo(sorted: readonly string[], text: string): string | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? '') <= text) from = middle + 1;
    else to = middle;
  }
  return sorted[from - 1];
}
