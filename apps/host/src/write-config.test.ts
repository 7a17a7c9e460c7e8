import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from './read-config.ts';
import { writeConfig } from './write-config.ts';

const fileIn = (folder: string, text?: string) => {
  const path = join(folder, 'config.yaml');
  if (text !== undefined) writeFileSync(path, text);
  return path;
};
const scratch = () => mkdtempSync(join(tmpdir(), 'atelier-config-'));

it('takes nothing out of a file that is not there, and makes none', () => {
  const folder = scratch();
  writeConfig(fileIn(folder), 'run-mode', undefined);
  expect(readdirSync(folder)).toEqual([]);
});

it('comments stay, also where there is nothing else', async () => {
  const path = fileIn(scratch(), '# mine\n');
  writeConfig(path, 'run-mode', undefined);
  expect(readFileSync(path, 'utf8')).toBe('# mine\n');
  writeConfig(path, 'run-mode', 'balanced');
  expect(readFileSync(path, 'utf8')).toContain('# mine\n');
  expect(await readConfig(path)).toMatchObject({ runMode: 'balanced' });
  writeConfig(path, 'run-mode', undefined);
  expect(await readConfig(path)).not.toHaveProperty('runMode');
});

it('what a link leads to is written, and the link stays', () => {
  const path = fileIn(scratch());
  const target = fileIn(scratch(), 'x-mine: 1\n');
  symlinkSync(target, path);
  writeConfig(path, 'run-mode', 'balanced');
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, 'utf8')).toBe('x-mine: 1\nrun-mode: balanced\n');
});
