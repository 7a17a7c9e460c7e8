import { expect, it } from 'vitest';
import { acceptance, memoryWorkspace } from '../src/index.ts';
import { acceptedWork, journal, orderOf, replyOf } from './attempts.ts';

const change = (path: string) => ({ path, status: 'modified' });

it.each([
  ['shares a file', { files: [change('a.txt'), change('src/x.ts')] }, true],
  ['has a folder where a file was written', { files: [change('src/x.ts/y')] }, true],
  ['has a file where a folder was written', { files: [change('src')] }, true],
  ['changed only other files', { files: [change('src/xy.ts'), change('x.ts')] }, false],
  ['changed more files than are listed', { files: [change('z')], omitted: 1 }, true],
  ['does not tell its files', {}, true],
  ['tells something else for files', { files: [7] }, true],
])('other work of the wave that %s: whether a merge with it is tried', async (_, told, tried) => {
  const workspace = memoryWorkspace({ 'f.txt': 'base\n' });
  const task = { id: 'T-1' };
  await workspace.work({ taskId: 'T-1', attempt: 1 }, { files: { 'src/x.ts': 'x\n' } });
  const other = await workspace.work({ taskId: 'T-2', attempt: 1 }, { files: { 'z.txt': 'z\n' } });
  const against: (string | undefined)[] = [];
  const watched = {
    ...workspace,
    conflicts: (commit: string, with_?: string) => {
      against.push(with_);
      return workspace.conflicts(commit, with_);
    },
  };
  const sibling = acceptedWork({ id: 'T-2' }, { commit: other ?? '', ...told });
  const checks = acceptance({ workspace: watched, commandMs: 90_000 });
  const verdict = await checks.accept(orderOf(task), replyOf(task), journal([sibling]));
  expect(verdict.kind).toBe('accepted');
  expect(against).toEqual(tried ? [undefined, other] : [undefined]);
});
