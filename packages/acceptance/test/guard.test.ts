import type { Task } from '@atelier/engine';
import { describe, expect, it } from 'vitest';
import { acceptance, type MemoryWork, memoryWorkspace } from '../src/index.ts';
import { done, journal, orderOf, replyOf, verdictOf } from './attempts.ts';

const FILES = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', '.github/ci.yml': 'c\n' };

function setUp() {
  const workspace = memoryWorkspace(FILES);
  return { workspace, checks: acceptance({ workspace, commandMs: 1000 }) };
}

interface Row {
  readonly name: string;
  readonly task?: Partial<Task>;
  readonly work: MemoryWork;
  readonly verdict: string;
}

const ROWS: readonly Row[] = [
  {
    name: 'B-03: a file in a new folder',
    task: { writes: ['nd/x.py'], must_produce: ['nd/x.py'] },
    work: { files: { 'nd/x.py': '' } },
    verdict: 'accepted',
  },
  {
    name: 'B-03: a name with a space and a letter beyond ASCII',
    task: { writes: ['naïve file.py'], must_produce: ['naïve file.py'] },
    work: { files: { 'naïve file.py': 'x' } },
    verdict: 'accepted',
  },
  {
    name: 'B-03: ./ and // in what is declared',
    task: { writes: ['./src//c.ts'], must_produce: ['./src/c.ts'] },
    work: { files: { 'src/c.ts': 'c' } },
    verdict: 'accepted',
  },
  {
    name: 'B-03: a folder, with or without its slash',
    task: { writes: ['out'], must_produce: ['out/', './out'] },
    work: { files: { 'out/deep/x': 'x' } },
    verdict: 'accepted',
  },
  {
    name: 'B-03: more declared than changed',
    task: { writes: ['src/a.ts', 'src/b.ts', 'docs/'] },
    work: { files: { 'src/a.ts': 'A\n' } },
    verdict: 'accepted',
  },
  {
    name: 'B-03: a deletion is a change',
    task: { writes: ['src'] },
    work: { files: { 'src/a.ts': null } },
    verdict: 'accepted',
  },
  {
    name: 'O-27: done with no change',
    work: {},
    verdict: 'false-done: the reply says done, but no file was changed',
  },
  {
    name: 'decision 45: done with writes and no change',
    task: { writes: ['src/'] },
    work: {},
    verdict: 'false-done: the reply says done, but no file was changed',
  },
  {
    name: 'work that only went where git ignores it is told',
    task: { writes: ['out/'] },
    work: { ignored: ['node_modules/', 'out/', 'out/x'] },
    verdict:
      'false-done: the reply says done, but no file was changed that is saved; git ignores out/, out/x, which only must_produce would keep',
  },
  {
    name: 'decision 45: must_produce that was not written, one by one',
    task: { must_produce: ['src/a.ts', 'src/c.ts', 'src/b.ts', '/etc/x'] },
    work: { files: { 'src/a.ts': 'A\n', 'src/b.ts': null } },
    verdict:
      'false-done: the reply says done, but these were not written: src/c.ts, src/b.ts, /etc/x',
  },
  {
    name: 'decision 45: a read-only task that changed nothing',
    task: { writes: [] },
    work: {},
    verdict: 'accepted',
  },
  {
    name: 'decision 45: a read-only task that changed something',
    task: { writes: [] },
    work: { files: { 'src/a.ts': 'A\n' } },
    verdict: 'write-scope: a task with writes: [] changed src/a.ts',
  },
  {
    name: 'decision 45: without writes anything but protected paths',
    work: { files: { 'src/a.ts': 'A\n', 'new/x': 'x' } },
    verdict: 'accepted',
  },
  {
    name: 'decision 45: without writes a protected path',
    work: { files: { '.github/ci.yml': 'x' } },
    verdict: 'write-scope: changed outside of its writes: .github/ci.yml (protected: ci)',
  },
  {
    name: 'B-10: an undeclared tracked file and an undeclared new one',
    task: { writes: ['src/a.ts'] },
    work: { files: { 'src/a.ts': 'A\n', 'src/b.ts': 'B\n', 'undeclared.txt': 'x' } },
    verdict:
      'write-scope: changed outside of its writes: src/b.ts (undeclared), undeclared.txt (undeclared)',
  },
  {
    name: 'B-10: a deleted file that was not declared',
    task: { writes: ['src/a.ts'] },
    work: { files: { 'src/a.ts': 'A\n', 'src/b.ts': null } },
    verdict: 'write-scope: changed outside of its writes: src/b.ts (undeclared)',
  },
  {
    name: 'O-42: tool configuration under a pattern',
    task: { writes: ['**'] },
    work: { files: { '.mcp.json': '{}', '.claude/settings.json': '{}' } },
    verdict:
      'write-scope: changed outside of its writes: .claude/settings.json (protected: tool-config), .mcp.json (protected: tool-config)',
  },
  {
    name: 'a repository inside the repository',
    work: { files: { 'src/a.ts': 'A\n' }, nested: ['vendor/x'] },
    verdict:
      'acceptance: some of its work can not be merged: repositories inside the repository (vendor/x)',
  },
  {
    name: 'names that git does not take',
    work: { refused: ['x/.git/y'] },
    verdict:
      'acceptance: some of its work can not be merged: names that git does not take (x/.git/y)',
  },
];

describe('what must hold of a change set', () => {
  it.each(ROWS)('$name', async ({ task, work, verdict }) => {
    expect(verdictOf(await done(setUp(), { id: 'T-1', ...task }, work))).toBe(verdict);
  });

  it('names are foreign text: printable, bounded, and counted beyond ten', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`\x1b[2J${at}${'x'.repeat(5000)}`, 'x']),
    );
    const verdict = verdictOf(await done(setUp(), { id: 'T-1', writes: ['src'] }, { files }));
    expect(verdict).toMatch(/\\x1b\[2J0x+… \(undeclared\).* and 20 more$/);
    expect(verdict).not.toContain('\x1b');
    expect(verdict.length).toBeLessThan(1500);
  });

  it('work that was not saved is refused', async () => {
    const { workspace, checks } = setUp();
    const task = { id: 'T-1' };
    const order = orderOf(task);
    expect(verdictOf(await checks.accept(order, replyOf(task), journal()))).toBe(
      'acceptance: its work was not saved, so it can not be merged',
    );
    await workspace.work({ taskId: 'T-1', attempt: 2 }, { files: { x: 'x' } });
    expect((await checks.accept(order, replyOf(task), journal())).kind).toBe('refused');
  });

  it('changes without a commit are not saved work', async () => {
    const { workspace } = setUp();
    await workspace.work({ taskId: 'T-1', attempt: 1 }, { files: { x: 'x' } });
    const changeSet = async (attempt: { taskId: string | number; attempt: number }) => {
      const { commit: _, ...set } = (await workspace.changeSet(attempt)) ?? Object.assign({});
      return set;
    };
    const checks = acceptance({ workspace: { ...workspace, changeSet }, commandMs: 1000 });
    const task = { id: 'T-1' };
    expect(verdictOf(await checks.accept(orderOf(task), replyOf(task), journal()))).toMatch(
      /^acceptance: /,
    );
  });
});
