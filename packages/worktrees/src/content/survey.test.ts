import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { survey } from './survey.ts';
import { unlinkIn } from './unlink-in.ts';

const ROOMY = { entries: 100, bytes: 2 ** 30, sparseBytes: 2 ** 30, nested: 3 };

/** Rm, because Node gives up on paths that are too long. */
function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-survey-')));
  onTestFinished(() => void execFileSync('rm', ['-rf', path]));
  return path;
}

it('refuses what is over a limit, and not what is at it', async () => {
  const path = folder();
  mkdirSync(join(path, 'a/.git'), { recursive: true });
  writeFileSync(join(path, 'a/f'), '12345');
  writeFileSync(join(path, 'sparse'), '');
  truncateSync(join(path, 'sparse'), 1_000_000);
  const exact = { entries: 4, bytes: 1_000_005, sparseBytes: 1_000_000, nested: 1 };
  await survey(path, { limits: exact });
  for (const [limit, value] of Object.entries(exact))
    await expect(survey(path, { limits: { ...exact, [limit]: value - 1 } })).rejects.toMatchObject({
      code: 'SALVAGE_TOO_LARGE',
    });
});

it('does not take its own pointer for a repository inside', async () => {
  const path = folder();
  writeFileSync(join(path, '.git'), 'gitdir: elsewhere\n');
  await survey(path, { limits: { ...ROOMY, nested: 0 } });
});

it('follows no link, and leaves what is behind it', async () => {
  const path = folder();
  const outside = folder();
  execFileSync('mkfifo', [join(outside, 'fifo')]);
  symlinkSync(outside, join(path, 'folder'));
  symlinkSync(join(outside, 'fifo'), join(path, '.gitignore'));
  await survey(path, { limits: { ...ROOMY, entries: 2 } });
  await expect(unlinkIn(Buffer.from(join(path, 'folder')), Buffer.from('fifo'))).rejects.toThrow();
  mkdirSync(join(outside, 'sub'));
  execFileSync('mkfifo', [join(outside, 'sub/fifo')]);
  await unlinkIn(Buffer.from(join(path, 'folder/sub')), Buffer.from('fifo'));
  expect(existsSync(join(outside, 'fifo'))).toBe(true);
  expect(existsSync(join(outside, 'sub/fifo'))).toBe(true);
});

it('removes a FIFO with a name that is not UTF-8', async () => {
  const path = folder();
  execFileSync('sh', ['-c', 'mkdir "$(printf "d\\377")"; mkfifo "$(printf "d\\377/f\\376")"'], {
    cwd: path,
  });
  await survey(path, { limits: ROOMY });
  expect(execFileSync('find', [path, '-type', 'p'], { encoding: 'utf8' })).toBe('');
});

it('passes over paths that are too long for the system', async () => {
  const path = folder();
  const name = 'n'.repeat(250);
  execFileSync('sh', ['-c', `for i in $(seq 20); do mkdir ${name}; cd -P ${name}; done; : > f`], {
    cwd: path,
  });
  writeFileSync(join(path, 'z'), '');
  await survey(path, { limits: ROOMY });
});

it('passes over what is frozen', async () => {
  const path = folder();
  mkdirSync(join(path, 'frozen'));
  for (let n = 0; n < 5; n += 1) writeFileSync(join(path, 'frozen', String(n)), 'x');
  const limits = { ...ROOMY, entries: 2 };
  await expect(survey(path, { limits })).rejects.toMatchObject({ code: 'SALVAGE_TOO_LARGE' });
  await survey(path, { limits, frozen: [join(path, 'frozen')] });
});

it('tells what it saw, the same twice, and nothing where something was out of its reach', async () => {
  const path = folder();
  mkdirSync(join(path, 'a'));
  writeFileSync(join(path, 'a/f'), '');
  symlinkSync('f', join(path, 'a/link'));
  const first = await survey(path);
  expect(first).toMatchObject({ files: 2, links: 1, digest: expect.any(String) });
  expect(await survey(path)).toEqual(first);
  // Deeper than a path can say.
  const deep = 'd'.repeat(250);
  execFileSync('sh', ['-c', `for _ in $(seq 25); do mkdir ${deep}; cd -P ${deep}; done`], {
    cwd: path,
  });
  expect(await survey(path)).toBeUndefined();
});
