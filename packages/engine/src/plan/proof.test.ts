import { describe, expect, test } from 'vitest';
import type { Task } from '../core/task.ts';
import { proofOf } from './proof.ts';

const task = (id: string, parallel_group: number, more: Partial<Task> = {}): Task => ({
  ...{ id, parallel_group, reads: [], writes: [] },
  ...more,
});

const independent = (a: Partial<Task>, b: Partial<Task>) =>
  proofOf([task('a', 1, a), task('b', 1, b)]).independent('a', 'b');

test('what a plan does not know is not independent of anything, nor is a task of itself', () => {
  const proof = proofOf([task('a', 1), task('b', 1)]);
  expect(proof.independent('a', 'b')).toBe(true);
  expect(proof.independent('a', 'a')).toBe(false);
  expect(proof.independent('a', 'ghost')).toBe(false);
  expect(proof.independent('ghost', 'a')).toBe(false);
});

test.each([
  ['src/routes/+page.svelte', 'src/routes/+layout.svelte', true],
  ['app/(shop)/page.tsx', 'app/(admin)/page.tsx', true],
  ['@scope/a.ts', '@other/b.ts', true],
  ['icon@2x.png', 'icon@3x.png', true],
  ['a!.txt', 'a|.txt', true],
  ['app/[id]/page.tsx', 'app/[slug]/page.tsx', true],
  ['app/[id]/page.tsx', 'app/[dx]/page.tsx', false],
  ['app/[...all]/page.tsx', 'app/about/page.tsx', true],
  ['app/[a-z]/page.tsx', 'app/about/page.tsx', false],
  ['src/*.ts', 'src/deep/a.md', false],
  ['\u03a3.txt', '\u03c2.txt', false],
  ['a/\u03a3', 'a/[\u03c2x]', false],
  ['stra\u00dfe', 'STRASSE', false],
  ['u\u0308', '\u00dc', false],
])('who writes %j and who writes %j: %s', (one, other, expected) => {
  expect(independent({ writes: [one] }, { writes: [other] })).toBe(expected);
  expect(independent({ writes: [other] }, { writes: [one] })).toBe(expected);
});

test('what is read is a name, even with brackets in it', () => {
  expect(independent({ reads: ['app/[id]/a'] }, { writes: ['app/x/a'] })).toBe(true);
  expect(independent({ reads: ['app/[id]/a'] }, { writes: ['app/[id]/**'] })).toBe(false);
  expect(independent({ reads: ['app/[id]/a'] }, { writes: ['app/i/a'] })).toBe(true);
  // No plan that was accepted has one.
  expect(independent({ reads: ['app/*'] }, { writes: ['app/x'] })).toBe(false);
});

describe('an author and whoever reviews it are one', () => {
  const tasks = [
    task('gen', 1, { writes: ['gen.txt'] }),
    task('author', 2, { writes: ['a.txt'] }),
    task('judge', 3, { reviews: 'author', depends_on: ['gen'], reads: ['notes'] }),
    task('beside', 2, { writes: ['notes/x'] }),
    task('apart', 2, { writes: ['c.txt'] }),
    task('after', 3, { depends_on: ['author'] }),
  ];
  const proof = proofOf(tasks);

  test.each([
    ['author', 'gen'],
    ['author', 'beside'],
    ['judge', 'author'],
    // It ends when the author has ended, and the author when it has approved.
    ['after', 'judge'],
    ['after', 'gen'],
  ])('%s and %s are not independent', (a, b) => {
    expect([proof.independent(a, b), proof.independent(b, a)]).toEqual([false, false]);
  });

  test('and free of everybody else', () => {
    for (const one of ['author', 'judge']) expect(proof.independent(one, 'apart')).toBe(true);
  });
});

/** Entries of `writes` with the folder or file to which each was traced by hand. */
const WRITTEN: readonly (readonly [string, string])[] = [
  ['src/a.ts', 'src/a.ts'],
  ['./src//b.ts', 'src/b.ts'],
  ['src', 'src'],
  ['src/**', 'src'],
  ['SRC/A.ts', 'src/a.ts'],
  ['lib/{a,b}/x.ts', 'lib'],
  ['lib/deep/y.ts', 'lib/deep/y.ts'],
  ['app/(shop)/p', 'app/(shop)/p'],
  ['app/(admin)/p', 'app/(admin)/p'],
  ['app/*/p', 'app'],
  ['srcs', 'srcs'],
];

/** The same of `reads` and `must_produce`, which name and never match. */
const NAMED: readonly (readonly [string, string])[] = [
  ['src/a.ts', 'src/a.ts'],
  ['src/c.ts', 'src/c.ts'],
  ['src/', 'src'],
  ['lib/deep', 'lib/deep'],
  ['app/(shop)/p', 'app/(shop)/p'],
  ['srcs', 'srcs'],
];

interface Drawn {
  readonly row: Task;
  readonly group: number;
  readonly isLive: boolean;
  readonly needs: readonly number[];
  readonly reviews: number | undefined;
  readonly reads: readonly string[] | undefined;
  readonly writes: readonly string[] | undefined;
}

function drawPlan(roll: (sides: number) => number): Drawn[] {
  const some = (from: typeof NAMED, most: number): typeof NAMED =>
    Array.from({ length: roll(most + 1) }, () => from[roll(from.length)] ?? ['srcs', 'srcs']);
  const plan: Drawn[] = [];
  for (let at = 0, size = 2 + roll(8); at < size; at += 1) {
    const group = 1 + roll(4);
    const isLive = roll(8) > 0;
    const needs = at > 0 && roll(2) === 0 ? [roll(at), roll(at)] : [];
    // Nobody reviews a review.
    const target = at > 0 && roll(5) === 0 ? roll(at) : undefined;
    const reviews =
      target === undefined || plan[target]?.reviews !== undefined ? undefined : target;
    const [reads, writes, must] = [some(NAMED, 2), some(WRITTEN, 1), some(NAMED, roll(3) ? 0 : 1)];
    const [saysReads, saysWrites] = [roll(14) > 0, roll(14) > 0];
    const produces = reviews === undefined ? must : [];
    const entries = (list: typeof NAMED) => list.map(([entry]) => entry);
    const places = (list: typeof NAMED) => list.map(([, place]) => place);
    const own = reviews === undefined ? writes : [];
    plan.push({
      ...{ group, isLive, needs, reviews },
      reads: saysReads ? places(reads) : undefined,
      writes: saysWrites || reviews !== undefined ? places([...own, ...produces]) : undefined,
      row: {
        id: at,
        parallel_group: group,
        status: isLive ? 'pending' : 'complete',
        depends_on: needs.map(String),
        reads: saysReads ? entries(reads) : null,
        ...(saysWrites || reviews !== undefined ? { writes: entries(own) } : {}),
        must_produce: entries(produces),
        reviews: reviews ?? null,
      },
    });
  }
  return plan;
}

const within = (one: string, other: string) => `${other}/`.startsWith(`${one}/`);
const touch = (one: string, other: string) => within(one, other) || within(other, one);
const anyTouch = (some: readonly string[], others: readonly string[]) =>
  some.some((one) => others.some((other) => touch(one, other)));

test('it agrees with a closure over all pairs of 2,000 plans', () => {
  let seed = 20_260;
  const roll = (sides: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * sides);
  };
  const seen = { readsEdges: 0, folderEdges: 0, twoHops: 0, diamonds: 0, reviews: 0, free: 0 };
  for (let round = 0; round < 2_000; round += 1) {
    const plan = drawPlan(roll);
    const pairedWith = ({ isLive, reviews }: Drawn): number | undefined =>
      isLive && reviews !== undefined && plan[reviews]?.isLive ? reviews : undefined;
    const unit = plan.map((one, at) => pairedWith(one) ?? at);
    const members = plan.map((_, at) => plan.filter((__, other) => unit[other] === at));
    const direct = plan.map(() => plan.map(() => false));
    for (const [at, one] of plan.entries()) {
      const author = pairedWith(one);
      const group = (author === undefined ? one : (plan[author] ?? one)).group;
      for (const [to, other] of plan.entries()) {
        const produced = other.row.must_produce ?? [];
        const written =
          other.writes ?? produced.map((path) => NAMED.find(([e]) => e === path)?.[1] ?? '');
        const reads = other.group < group && anyTouch(one.reads ?? [], written);
        if (reads && at !== to) {
          seen.readsEdges += 1;
          if (!(one.reads ?? []).some((path) => written.includes(path))) seen.folderEdges += 1;
        }
        const [from, until] = [direct[unit[at] ?? at], unit[to] ?? to];
        if (from && (reads || one.needs.includes(to) || one.reviews === to)) from[until] = true;
      }
      if (author !== undefined) seen.reviews += 1;
    }
    const closed = direct.map((row) => [...row]);
    for (const via of plan.keys())
      for (const from of closed)
        if (from[via])
          for (const to of plan.keys()) from[to] = from[to] || closed[via]?.[to] === true;
    const reaches = plan.map((_, at) => {
      const reads = members[at]?.map((one) =>
        pairedWith(one) === undefined ? one.reads : (one.reads ?? []),
      );
      return {
        reads: reads?.includes(undefined) ? undefined : (reads ?? []).flatMap((some) => some ?? []),
        writes: plan[at]?.writes,
      };
    });
    const meet = (some?: readonly string[], others?: readonly string[]) =>
      some && others
        ? anyTouch(some, others)
        : (some ?? ['?']).length > 0 && (others ?? ['?']).length > 0;
    const { independent } = proofOf(plan.map(({ row }) => row));
    for (const a of plan.keys())
      for (const b of plan.keys()) {
        const [one, other] = [unit[a] ?? a, unit[b] ?? b];
        const [ours, theirs] = [reaches[one], reaches[other]];
        const isNeeded = closed[one]?.[other] === true || closed[other]?.[one] === true;
        const conflict =
          meet(ours?.writes, theirs?.writes) ||
          meet(ours?.writes, theirs?.reads) ||
          meet(ours?.reads, theirs?.writes);
        const isFree = one !== other && !isNeeded && !conflict;
        if (independent(a, b) !== isFree)
          expect({ a, b, plan: plan.map(({ row }) => row), isFree }).toBe('what the proof says');
        if (isFree) seen.free += 1;
        if (one === other || conflict || !closed[one]?.[other] || direct[one]?.[other]) continue;
        const ways = [...plan.keys()].filter((via) => direct[one]?.[via] && direct[via]?.[other]);
        if (ways.length > 0) seen.twoHops += 1;
        if (ways.length > 1) seen.diamonds += 1;
      }
  }
  for (const [what, count] of Object.entries(seen))
    expect([what, count > 100]).toEqual([what, true]);
});
