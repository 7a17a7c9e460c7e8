import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Claims, claimsOf, conflict } from './claims.ts';
import { outermost, touchAny } from './outermost.ts';
import { endIn, isFree, precedence, type Unit } from './precedence.ts';

const PATHS = ['a', 'a/b', 'a/b/c', 'a/d', 'ab', 'e', ''] as const;

const reach = fc.oneof(
  { weight: 5, arbitrary: fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant('anything' as const) },
);

const units = fc
  .array(
    fc.record({
      group: fc.integer({ min: 1, max: 4 }),
      claims: fc.record({ reads: reach, writes: reach }),
      upstreams: fc.array(fc.nat(11), { maxLength: 2 }),
      members: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) => rows.sort((a, b) => a.group - b.group))
  .map((rows): Unit[] =>
    rows.map(({ group, claims, upstreams, members }, index) => ({
      ...{ group, claims },
      members: Array.from({ length: members }, (_, at) => `${index}.${at}`),
      upstreams: upstreams.filter((one) => one < index).map((one) => `${one}.0`),
    })),
  );

/** The words of the rule, by pairs. */
function waitsFor(later: Unit, earlier: Unit): boolean {
  if (later.upstreams.some((key) => earlier.members.includes(key))) return true;
  if (later.group !== earlier.group) return conflict(later.claims, earlier.claims);
  const declared = ({ reads, writes }: Claims): Claims => ({
    reads: reads === 'anything' ? [] : reads,
    writes: writes === 'anything' ? [] : writes,
  });
  return conflict(declared(later.claims), declared(earlier.claims));
}

describe('the order of units', () => {
  test('each is free exactly when every earlier one that it waits for has ended, whatever ends when', () => {
    let waited = 0;
    let beside = 0;
    fc.assert(
      fc.property(units, fc.infiniteStream(fc.nat()), (all, picks) => {
        const order = precedence(all);
        const ended = new Set<number>();
        const expected = () =>
          all.flatMap((unit, at) =>
            all.slice(0, at).every((one, before) => ended.has(before) || !waitsFor(unit, one))
              ? [at]
              : [],
          );
        for (let step = 0; step < all.length; step += 1) {
          const free = expected();
          for (const [at, { members }] of all.entries())
            for (const key of members) expect(isFree(order, key)).toBe(free.includes(at));
          const open = free.filter((at) => !ended.has(at));
          expect(open).not.toEqual([]);
          waited += all.length - free.length;
          beside += open.length - 1;
          const pick = open[picks.next().value % open.length] ?? 0;
          const [last, ...others] = [...(all[pick]?.members ?? [])].reverse();
          for (const key of others) expect(endIn(order, key)).toEqual([]);
          const freed = endIn(order, last ?? '');
          ended.add(pick);
          const now = expected().filter((at) => !free.includes(at));
          expect(freed).toEqual(now.flatMap((at) => all[at]?.members ?? []));
        }
      }),
      { numRuns: 3000 },
    );
    // The corpus has both: who waits, and who runs beside others.
    expect(waited).toBeGreaterThan(1000);
    expect(beside).toBeGreaterThan(1000);
  });

  test.each([
    ['who read and wrote beside each other, all before one who writes', 50_000],
    ['a folder that everybody reads, before everybody who writes in it', 50_000],
  ])('%s: edges grow with the tasks and not with their pairs', (_, half) => {
    const readers = Array.from({ length: half }, (__, at) =>
      claimed(`r${at}`, 1, { reads: ['s'] }),
    );
    const writers = Array.from({ length: half }, (__, at) =>
      claimed(`w${at}`, 2, { writes: [`s/${at}`] }),
    );
    const order = precedence([...readers, ...writers, claimed('last', 3, { writes: ['s'] })]);
    const edges = order.next.reduce((sum, next) => sum + next.length, 0);
    expect(edges).toBeLessThan(8 * half);
  });

  test('what nobody declared: 100,000 tasks in two groups, edges by tasks', () => {
    const all = Array.from({ length: 100_000 }, (_, at) => ({
      ...claimed(`t${at}`, at < 50_000 ? 1 : 2, {}),
      claims: claimsOf({ id: at }),
    }));
    const order = precedence(all);
    expect(order.next.reduce((sum, next) => sum + next.length, 0)).toBeLessThan(500_000);
    expect(isFree(order, 't49999')).toBe(true);
    expect(isFree(order, 't50000')).toBe(false);
  });
});

const claimed = (key: string, group: number, claims: Partial<Claims>): Unit => ({
  ...{ members: [key], upstreams: [], group },
  claims: { reads: [], writes: [], ...claims },
});

describe('what a task claims', () => {
  test.each([
    [['src/a.ts'], ['src/a.ts'], true],
    [['src'], ['src/a.ts'], true],
    [['src/'], ['./src//a.ts'], true],
    [['src'], ['srcs/a.ts'], false],
    [['src/**/*.ts'], ['src/deep/b.md'], true],
    [['*.md'], ['anything/else'], true],
    [['src/{a,b}.ts'], ['src/c.ts'], true],
    [['src/a[1].ts'], ['lib/a.ts'], false],
    [['README.md'], ['readme.md'], true],
    [['u\u0308'], ['\u00fc'], true],
    [['a/b'], ['a/c'], false],
    [[], ['a'], false],
  ])('%j and %j: %s', (one, other, meet) => {
    const writes = (paths: readonly string[]) => claimsOf({ id: 'x', reads: [], writes: paths });
    expect(conflict(writes(one), writes(other))).toBe(meet);
    expect(conflict(writes(other), writes(one))).toBe(meet);
  });

  test('what it does not declare is anything; a reviewer changes nothing', () => {
    expect(claimsOf({ id: 'a' })).toEqual({ reads: 'anything', writes: 'anything' });
    expect(claimsOf({ id: 'a', reads: null, writes: [] }).reads).toBe('anything');
    expect(claimsOf({ id: 'a', must_produce: ['x'] }).writes).toBe('anything');
    expect(claimsOf({ id: 'a', writes: ['y'], must_produce: ['x'] }).writes).toEqual(['y', 'x']);
    expect(claimsOf({ id: 'r' }, { isPaired: true })).toEqual({ reads: [], writes: [] });
  });

  test('readers are no conflict', () => {
    const reader = claimsOf({ id: 'a', reads: ['x'], writes: [] });
    expect(conflict(reader, reader)).toBe(false);
    expect(conflict(claimsOf({ id: 'b', writes: [] }), reader)).toBe(false);
    expect(conflict(claimsOf({ id: 'b', writes: [] }), claimsOf({ id: 'c' }))).toBe(true);
  });

  test('two tasks of 50,000 places each are compared without looking at pairs', () => {
    const writes = (folder: string) =>
      claimsOf({
        ...{ id: 'x', reads: [] },
        writes: Array.from({ length: 50_000 }, (_, at) => `${folder}/${at % 100}/${at}`),
      });
    expect(conflict(writes('src'), writes('lib'))).toBe(false);
    expect(conflict(writes('src'), writes('src/x'))).toBe(false);
    expect(conflict(writes('src'), claimsOf({ id: 'y', reads: [], writes: ['src/99'] }))).toBe(
      true,
    );
  });

  test('places touch when one is the other or around it', () => {
    const around = (one: string, other: string) =>
      one === other || one === '' || other.startsWith(`${one}/`);
    const names = ['a', 'a/b', 'a/b/c', 'a-b', 'ab', 'a/b-c', 'b', 'b/a', 'c/\u00fc', ''];
    const places = fc.array(fc.constantFrom(...names), { maxLength: 5 });
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(places, places, (some, others) => {
        const expected = some.some((one) =>
          others.some((other) => around(one, other) || around(other, one)),
        );
        seen[`${expected}`] += 1;
        expect(touchAny(outermost(some), outermost(others))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(200);
  });
});
