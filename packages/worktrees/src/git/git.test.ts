import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Git, gitAt } from './git.ts';

const { PATH } = process.env;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-git-'));
});

afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

/** A git that is a script, to see how it is called and what its faults become. */
function scripted(script: string): Git {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env.PATH = `${join(folder, 'bin')}:${PATH}`;
  return gitAt({ gitDir: folder, workTree: folder });
}

it('hands over nothing of its environment but PATH, and always names the git dir and the work tree', async () => {
  process.env.GIT_DIR = '/nonexistent';
  process.env.GIT_CONFIG_COUNT = '1';
  process.env.SECRET = 'x';
  try {
    const { text } = await scripted('env; echo "$@"')(['status']);
    expect(text).not.toMatch(/^(GIT_DIR|GIT_CONFIG_COUNT|SECRET)=/m);
    expect(text).toContain('HOME=/nonexistent');
    expect(text).toContain(`--git-dir=${folder} --work-tree=${folder} status`);
  } finally {
    for (const key of ['GIT_DIR', 'GIT_CONFIG_COUNT', 'SECRET']) delete process.env[key];
  }
});

it('is not in the process group that a Ctrl-C reaches', async () => {
  const group = (pid: string) =>
    execFileSync('ps', ['-o', 'pgid=', '-p', pid], { encoding: 'utf8' });
  const { text } = await scripted('ps -o pgid= -p $$')(['status']);
  expect(text.trim()).not.toBe(group(String(process.pid)).trim());
});

it('ends a git that hangs, and says so', async () => {
  const hanging = scripted('exec sleep 60')(['status'], { timeoutMs: 100 });
  await expect(hanging).rejects.toMatchObject({ code: 'GIT_TIMEOUT' });
});

it('shows what git said, bounded and printable', async () => {
  const failing = scripted(
    `printf 'hint: x\\nfatal: \\033[2J%s\\nhint: y\\n' "$(seq 1 9999 | tr '\\n' ' ')" >&2; exit 128`,
  );
  const error = await failing(['status']).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'GIT_FAILED',
    message: expect.stringContaining('fatal: \\u{1b}[2J1 2'),
  });
  expect((error as Error).message.length).toBeLessThan(500);
});

it('does not hold more output than its limit', async () => {
  const flood = scripted('yes >&2')(['status']);
  await expect(flood).rejects.toMatchObject({ code: 'GIT_OUTPUT_LIMIT' });
});

it('says that git died, not that it failed', async () => {
  await expect(scripted('kill -9 $$')(['status'])).rejects.toMatchObject({
    code: 'GIT_FAILED',
    message: expect.stringContaining('SIGKILL'),
  });
});
