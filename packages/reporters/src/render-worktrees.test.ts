import { describe, expect, test } from 'vitest';
import { renderCollection, renderWorktrees, type WorktreeItem } from './render-worktrees.ts';

const attempt: WorktreeItem = {
  ...{ run: 'r1', taskId: 'parser', attempt: 2, path: '/s/r1/wt/parser/2', kind: 'attempt' },
  ...{ state: 'unsaved', bytes: 1_234_567, lastUsed: 1_767_259_800_000 },
};
const scratch: WorktreeItem = {
  ...{ run: 'r1', path: '/s/r1/wt/base', kind: 'scratch', state: 'saved' },
  ...{ bytes: 12, lastUsed: 1_767_259_800_000 },
};

describe('the list of worktrees', () => {
  test('is a table with a total', () => {
    expect(renderWorktrees([attempt, scratch])).toBe(
      `run  for                state          size    last use (UTC)    path
r1   parser, attempt 2  unsaved        1.2 MB  2026-01-01 09:30  /s/r1/wt/parser/2
r1   checkout           holds no work  12 B    2026-01-01 09:30  /s/r1/wt/base

2 worktrees, 1.2 MB. atelier worktrees gc removes those of runs that have ended.
`,
    );
  });

  test('of nothing says so', () =>
    expect(renderWorktrees([])).toBe('No run has left a worktree.\n'));

  test('a checkout whose files are gone is gone', () =>
    expect(renderWorktrees([{ ...scratch, state: 'gone' }])).toContain(' gone '));

  test('hostile names are shown on one line', () => {
    const lines = renderWorktrees([
      { ...attempt, run: 'r\n', taskId: '\u001b[2J', path: '/\u0007' },
    ]).split('\n');
    expect(lines[1]).toContain('r\\x0a');
    expect(lines[1]).toContain('\\x1b[2J, attempt 2');
    expect(lines[1]).toContain('/\\x07');
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [9_949, '9.9 kB'],
    [9_950, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [5e10, '50 GB'],
    [5e18, '5000 PB'],
    [-1, '-'],
    [Number.NaN, '-'],
  ])('%d bytes are %s', (bytes, text) =>
    expect(renderWorktrees([{ ...attempt, bytes }])).toContain(` ${text} `),
  );
});

describe('what was collected', () => {
  const collection = {
    removed: [attempt],
    kept: [{ worktree: scratch, why: 'its run is \u001b[2J in use' }],
  };

  test('is told with the reason for what was kept, and where the work is', () => {
    expect(renderCollection(collection)).toBe(
      `         run  for                size    why
removed  r1   parser, attempt 2  1.2 MB
kept     r1   checkout           12 B    its run is \\x1b[2J in use

Removed 1 worktree, 1.2 MB; kept 1 worktree, 12 B. What was in them is saved: atelier salvage list.
`,
    );
  });

  test('of a dry run claims nothing', () => {
    const text = renderCollection(collection, { dryRun: true });
    expect(text).toMatch(/^would go {2}r1/m);
    expect(text).toContain('Would remove 1 worktree, 1.2 MB; would keep 1 worktree, 12 B.\n');
    expect(text).not.toMatch(/removed|saved/);
  });

  test('of nothing says so', () =>
    expect(renderCollection({ removed: [], kept: [] })).toBe('No run has left a worktree.\n'));
});
