import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { nameAgain } from './second-name.ts';

let file: string;
let name: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'second-name-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  [file, name] = [join(folder, 'file'), join(folder, 'name')];
});

it('is the same file, and stays when the first name is taken away', () => {
  writeFileSync(file, 'text');
  nameAgain(file, name);
  expect(statSync(name).ino).toBe(statSync(file).ino);
  rmSync(file);
  expect(readFileSync(name, 'utf8')).toBe('text');
});

it('is an empty file of its own where the other can not be named again', () => {
  nameAgain(file, name);
  expect(readFileSync(name, 'utf8')).toBe('');
  expect(statSync(name).mode & 0o777).toBe(0o400);
});

it('given twice takes nothing away from the file', () => {
  writeFileSync(file, 'text');
  nameAgain(file, name);
  nameAgain(file, name);
  expect(readFileSync(file, 'utf8')).toBe('text');
});
