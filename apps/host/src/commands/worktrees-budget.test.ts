import type { LeftWorktree } from '@atelier/worktrees';
import { expect, test } from 'vitest';
import { shareBudget } from './worktrees-budget.ts';

const worktree = (path: string, lastUsed: number, runId = 'ended'): LeftWorktree => ({
  ...{ run: runId, runId, path, kind: 'attempt', state: 'saved', bytes: 10, lastUsed },
});

const HOMES = [
  { path: 'one', worktrees: [worktree('a', 1), worktree('b', 4)] },
  { path: 'two', worktrees: [worktree('c', 2, 'busy'), worktree('d', 3)] },
];

const isInUse = (runId: string) => runId === 'busy';

test.each([
  [40, { one: 20, two: 20 }],
  [39, { one: 10, two: 20 }],
  [29, { one: 10, two: 10 }],
  [19, { one: 0, two: 10 }],
  [0, { one: 0, two: 10 }],
])('of %d bytes each home gets what stays when the oldest of all go first', (maxBytes, shares) =>
  expect(Object.fromEntries(shareBudget(HOMES, { maxBytes, isInUse }))).toEqual(shares),
);
