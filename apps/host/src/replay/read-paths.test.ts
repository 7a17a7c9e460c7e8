import type { Task } from '@atelier/engine';
import { expect, test } from 'vitest';
import { readPaths } from './read-paths.ts';

const task = (fields: Partial<Task>): Task => ({ id: 'a', parallel_group: 1, ...fields });

const upstream = (fields: Partial<Task>, files: readonly string[] = []) => ({
  task: task({ id: 'before', ...fields }),
  evidence: { files: files.map((path) => ({ path })) },
});

const reader = task({ reads: [] });

test('what is read, was to be produced or was changed is a name, brackets and all', () => {
  const name = 'app/[id]/page.tsx';
  expect(readPaths(task({ reads: [`./${name}`, 'a{b}/c?', 'd\\e'] }), [])).toEqual([
    ...[name, 'a{b}/c?', 'd\\e'],
  ]);
  expect(readPaths(reader, [upstream({ must_produce: [name] })])).toEqual([name]);
  expect(readPaths(reader, [upstream({}, [name])])).toEqual([name]);
});

test('an entry of writes is a pattern: every spelling of its brackets, or else its folder', () => {
  expect(readPaths(reader, [upstream({ writes: ['app/[id]/x', 'b/[!c]/d', 'e/{f,g}'] })])).toEqual([
    ...['app/[id]/x', 'app/d/x', 'app/i/x', 'b', 'e'],
  ]);
});

test('of a star nobody knows the end, so that it stands for its folder, and in the root for everything', () => {
  expect(readPaths(task({ reads: ['src/[ab]*/x'] }), [])).toEqual(['src']);
  expect(readPaths(reader, [upstream({}, ['src/a*b'])])).toEqual(['src']);
  expect(readPaths(task({ reads: ['*.md'] }), [])).toBeUndefined();
  expect(readPaths(reader, [upstream({ writes: ['**/x'] })])).toBeUndefined();
});

test('who does not say what it reads, is judged by a command, or builds on what is not listed reads anything', () => {
  expect(readPaths(task({}), [])).toBeUndefined();
  expect(readPaths(task({ reads: ['x'], verify: 'true' }), [])).toBeUndefined();
  const evidence = { files: [{ path: 'x' }], omitted: 1 };
  expect(readPaths(reader, [{ task: task({}), evidence }])).toBeUndefined();
});
