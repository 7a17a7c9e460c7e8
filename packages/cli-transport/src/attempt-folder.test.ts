import { relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoolOf } from './attempt-folder.ts';

const nameOf = (taskId: string | number) =>
  relative('/run/attempts', spoolOf('/run', taskId, 1).path);

describe('the folder of an attempt', () => {
  it('is named after its task, and the number of the attempt', () => {
    expect(nameOf('T-1')).toMatch(/^t-1-[0-9a-f]{16}\/1$/);
    expect(nameOf(7)).toBe(nameOf('7'));
  });

  it('lies inside the run, by a plain name, whatever the task is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (taskId) => {
        expect(nameOf(taskId)).toMatch(/^(?:[a-z0-9]+-)*[0-9a-f]{16}\/1$/);
      }),
    );
  });

  it.each([
    [
      '\ud800',
      '\ud801',
      '../../etc',
      '..',
      '/',
      'x/fix',
      'x',
      'x.lock',
      '-rf',
      '--',
      '.',
      '',
      ' ',
      'X',
      'ü',
      'u\u0308',
    ],
    ['a'.repeat(300), `${'a'.repeat(300)}b`],
  ])('O-22: differs where the tasks differ', (...taskIds) => {
    expect(new Set(taskIds.map(nameOf)).size).toBe(taskIds.length);
  });
});
