import { describe, expect, test } from 'vitest';
import {
  renderRestored,
  renderSalvage,
  renderSalvageList,
  type SavedDetail,
  type SavedItem,
} from './render-salvage.ts';

const item: SavedItem = {
  ...{ task: 'parser', attempt: 2, run: '20260101-093000-abcdef', savedAt: 1_767_259_800_000 },
  ...{ base: 'b'.repeat(40), files: 3, merged: false, after: false, commit: 'c'.repeat(40) },
};

const detail: SavedDetail = {
  ...item,
  ref: 'refs/atelier/r/parser-0/2',
  changes: [
    { path: 'a.ts', status: 'added', insertions: 12, deletions: 0 },
    { path: 'logo.png', status: 'modified' },
  ],
};

const BARE_CONTROL = /[\p{Cc}\p{Cf}]/u;

describe('the list of saved work', () => {
  test('is a table with a total', () => {
    const merged = { ...item, task: 'docs', attempt: 1, merged: true };
    const { base: _, ...unbased } = { ...item, after: true, merged: true };
    expect(renderSalvageList([item, merged, unbased])).toBe(
      `task    attempt  run                     when (UTC)        files  state     commit
parser  2        20260101-093000-abcdef  2026-01-01 09:30  3      unmerged  cccccccccc
docs    1        20260101-093000-abcdef  2026-01-01 09:30  3      merged    cccccccccc
parser  2        20260101-093000-abcdef  2026-01-01 09:30  ?      after     cccccccccc

3 saved, 1 of them unmerged. atelier salvage show TASK shows what is in one.
`,
    );
  });

  test('of nothing says so', () => expect(renderSalvageList([])).toBe('No saved work.\n'));

  test('keeps to a width, and hostile names are shown', () => {
    const text = renderSalvageList(
      [{ ...item, task: `\u001b[2J\n${'x'.repeat(500)}`, run: 'r\u202e' }],
      {
        width: 80,
      },
    );
    expect(text.split('\n')[1]).toHaveLength(80);
    expect(text).toContain('\\x1b[2J\\x0a');
    expect(text.replaceAll('\n', '')).not.toMatch(BARE_CONTROL);
  });
});

describe('one saved work', () => {
  test('is told with its changes and their lines', () => {
    expect(renderSalvage({ ...detail, beside: 'refs/atelier/r/parser-0/2-after' })).toBe(
      `Task parser, attempt 2 of run 20260101-093000-abcdef: unmerged, 3 files.

ref     refs/atelier/r/parser-0/2
commit  ${'c'.repeat(40)}
base    ${'b'.repeat(40)}
saved   2026-01-01T09:30:00.000Z
beside  refs/atelier/r/parser-0/2-after

change    lines   path
added     +12 -0  a.ts
modified  -       logo.png
`,
    );
  });

  test('its patch is shown, not obeyed, and a cut is told', () => {
    const text = '+\tif\u001b[31m\n-\u202ex\n+cut';
    const shown = renderSalvage({ ...detail, patch: { text, truncated: true } });
    expect(shown).toMatch(
      /\n\n\+ {4}if\\x1b\[31m\n-\\u\{202e\}x\n\+cut\n\(the patch is cut here\)\n$/,
    );
    const whole = renderSalvage({ ...detail, patch: { text: '+x\n', truncated: false } });
    expect(whole).toMatch(/logo\.png\n\n\+x\n$/);
  });

  test('hostile paths take one line each, and of very many the rest is counted', () => {
    const changes = Array.from({ length: 1_200 }, () => ({
      path: `\u001b]0;x\u0007\n${'é'.repeat(2_000)}`,
      status: 'added',
    }));
    const lines = renderSalvage({ ...detail, changes }).split('\n');
    expect(lines.join('')).not.toMatch(BARE_CONTROL);
    expect(lines.at(-2)).toBe('and 200 more; --json lists all');
    expect(lines.length).toBeLessThan(1_020);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600);
  });

  test('without a base tells no numbers', () => {
    const { base: _, ...unbased } = { ...detail, changes: [] };
    const text = renderSalvage(unbased);
    expect(text).toContain('unmerged, where it started is not known.');
    expect(text).not.toContain('base');
    expect(text).not.toContain('change');
  });
});

describe('what was restored', () => {
  const clone = '/my tea';

  test('as a branch, is compared with what it started from', () => {
    const made = { kind: 'branch', branch: 'back/one', commit: 'c'.repeat(40) } as const;
    expect(renderRestored(made, { base: 'b'.repeat(40), clone })).toContain(
      `Look at it: git diff ${'b'.repeat(40)} back/one\n`,
    );
    expect(renderRestored(made, { clone })).toContain('git show back/one\n');
  });

  test('in a folder, is compared with the clone; each name is one word of the command', () => {
    const path = "/tmp/it's\u001b[2J $(x)";
    expect(renderRestored({ kind: 'folder', path, commit: 'c' }, { clone })).toContain(
      `diff -r --exclude=.git '/my tea' '/tmp/it'\\''s\\x1b[2J $(x)'\n`,
    );
  });
});
