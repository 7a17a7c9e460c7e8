import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeSocketFolder, socketFolder } from './socket-folder.ts';

it('the folder of an earlier host is used again, and its note is never without it: nothing is written', () => {
  const runDir = mkdtempSync(join(tmpdir(), 'sockets-'));
  onTestFinished(() => rmSync(runDir, { recursive: true, force: true }));
  const first = socketFolder(runDir);
  const note = join(runDir, 'sockets');
  utimesSync(note, 1, 1);
  const second = socketFolder(runDir);
  expect([second.path, statSync(note).mtimeMs]).toEqual([first.path, 1000]);
  removeSocketFolder(runDir);
  removeSocketFolder(runDir);
  expect([existsSync(first.path), readdirSync(runDir)]).toEqual([false, []]);
});
