import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { trail } from './trail.ts';

const folder = () => {
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'trail-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

test('follows relative and absolute symlinks, and names each where it lies', () => {
  const at = folder();
  mkdirSync(join(at, 'v2/bin'), { recursive: true });
  writeFileSync(join(at, 'v2/bin/run'), '');
  symlinkSync('v2', join(at, 'current'));
  symlinkSync(join(at, 'current/bin/../bin/run'), join(at, 'tool'));
  expect(trail(join(at, 'tool'))).toEqual({
    real: join(at, 'v2/bin/run'),
    links: [
      { at: join(at, 'tool'), to: join(at, 'current/bin/../bin/run') },
      { at: join(at, 'current'), to: 'v2' },
    ],
  });
});

test('agrees with the kernel on a path without symlinks', () => {
  const at = folder();
  expect(trail(at)).toEqual({ real: at, links: [] });
});

test('ends when links go round, or lead nowhere', () => {
  const at = folder();
  symlinkSync('b', join(at, 'a'));
  symlinkSync('a', join(at, 'b'));
  symlinkSync('gone', join(at, 'c'));
  expect(() => trail(join(at, 'a'))).toThrow('too many symlinks');
  expect(() => trail(join(at, 'c'))).toThrow('ENOENT');
});
