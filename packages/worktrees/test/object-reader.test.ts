import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startKept } from '../src/git/kept-git.ts';
import { OBJECTS } from '../src/git/object-answers.ts';
import { type ObjectReader, objectReader } from '../src/git/object-reader.ts';

const PATH = process.env['PATH'] ?? '';

interface Stage {
  readonly dir: string;
  readonly reader: ObjectReader;
  person(...args: string[]): string;
  /** The processes that were started, by id. */
  started(): number[];
}

/** A repository with one commit, and a git that notes its process id before it begins. */
function stage(): Stage {
  const dir = mkdtempSync(join(tmpdir(), 'atelier-reader-'));
  const name = ['-c', 'user.name=t', '-c', 'user.email=t@localhost'];
  const person = (...args: string[]): string =>
    execFileSync('git', [...name, ...args], {
      cwd: dir,
      encoding: 'utf8',
      env: { PATH },
    }).trim();
  person('init', '-q', '-b', 'main', 'repo');
  person('-C', 'repo', 'commit', '-q', '--allow-empty', '-m', 'first');
  const real = PATH.split(':')
    .map((folder) => join(folder, 'git'))
    .find(existsSync);
  const log = join(dir, 'started');
  const script = `#!/bin/sh\necho $$ >>'${log}'\nexec '${real}' "$@"\n`;
  writeFileSync(join(dir, 'git'), script, { mode: 0o755 });
  process.env['PATH'] = `${dir}:${PATH}`;
  const gitDir = join(dir, 'repo/.git');
  const reader = objectReader({ gitDir, workTree: join(dir, 'repo') });
  onTestFinished(() => {
    reader.rest();
    process.env['PATH'] = PATH;
    rmSync(dir, { recursive: true });
  });
  return {
    dir: join(dir, 'repo'),
    reader,
    person: (...args) => person('-C', 'repo', ...args),
    started: () =>
      existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(Number) : [],
  };
}

const WAIT = { timeout: 30_000, interval: 20 };

const oidOf = async (reader: ObjectReader, name: string): Promise<string | undefined> =>
  (await reader.info([`${name}^{commit}`]))[0]?.oid;

it('asks one git, and resolves names each time anew: loose, packed, deleted, of a worktree', async () => {
  const { reader, person, started } = stage();
  const first = person('rev-parse', 'HEAD');
  expect(await oidOf(reader, 'refs/heads/main')).toBe(first);
  person('commit', '-q', '--allow-empty', '-m', 'second');
  const second = person('rev-parse', 'HEAD');
  expect(await oidOf(reader, 'refs/heads/main')).toBe(second);
  person('pack-refs', '--all');
  expect(await oidOf(reader, 'refs/heads/main')).toBe(second);
  person('worktree', 'add', '-q', '--detach', '../wt');
  expect(await oidOf(reader, 'worktrees/wt/HEAD')).toBe(second);
  person('-C', '../wt', 'checkout', '-q', first);
  expect(await oidOf(reader, 'worktrees/wt/HEAD')).toBe(first);
  person('branch', 'b', first);
  person('pack-refs', '--all');
  expect(await oidOf(reader, 'refs/heads/b')).toBe(first);
  person('branch', '-q', '-D', 'b');
  expect(await oidOf(reader, 'refs/heads/b')).toBeUndefined();
  expect(started()).toHaveLength(1);
});

it('finds what is written and packed after it began', async () => {
  const { reader, dir, person, started } = stage();
  await oidOf(reader, 'HEAD');
  writeFileSync(join(dir, 'f'), 'later\n');
  const blob = person('hash-object', '-w', 'f');
  const [loose] = await reader.contents([blob]);
  expect(String(loose?.content)).toBe('later\n');
  person('add', 'f');
  person('commit', '-qm', 'f');
  person('repack', '-adq');
  const found = await reader.contents([blob, 'HEAD:f', `${'0'.repeat(39)}1`, 'none']);
  expect(found.map((one) => one && [one.type, one.bytes, String(one.content)])).toEqual([
    ...[['blob', 6, 'later\n'], ['blob', 6, 'later\n'], undefined, undefined],
  ]);
  // The object that is nowhere was asked for once more, of a git that knows of every store.
  expect(started()).toHaveLength(2);
});

it('answers also where its git is killed, hangs or would say too much', async () => {
  const { reader, dir, person, started } = stage();
  const head = person('rev-parse', 'HEAD');
  await oidOf(reader, 'HEAD');
  const [first = 0] = started();
  process.kill(first, 'SIGSTOP');
  const asked = [oidOf(reader, 'HEAD'), oidOf(reader, 'refs/heads/main')];
  process.kill(first, 'SIGKILL');
  expect(await Promise.all(asked)).toEqual([head, head]);
  writeFileSync(join(dir, 'f'), Buffer.alloc(9 * 2 ** 20, 'x'));
  const blob = person('hash-object', '-w', 'f');
  const [large, small] = await reader.contents([blob, head]);
  expect([large?.content.length, small?.oid]).toEqual([9 * 2 ** 20, head]);
  expect(await oidOf(reader, 'HEAD')).toBe(head);

  const place = { gitDir: join(dir, '.git'), workTree: dir };
  const before = started().length;
  const server = startKept(place, OBJECTS, { idleMs: 60_000, answerMs: 100 });
  const pid = await vi.waitUntil(() => started()[before], WAIT);
  process.kill(pid, 'SIGSTOP');
  await expect(server.ask({ depth: 'info', names: ['HEAD'] })).rejects.toThrow('too long');
  expect(server.isOpen()).toBe(false);
});

it('is ended once nobody has asked for a while, and another follows', async () => {
  const { dir, person, started } = stage();
  const place = { gitDir: join(dir, '.git'), workTree: dir };
  const server = startKept(place, OBJECTS, { idleMs: 50, answerMs: 30_000 });
  const [head] = await server.ask({ depth: 'info', names: ['HEAD'] });
  expect(head?.oid).toBe(person('rev-parse', 'HEAD'));
  const [pid = 0] = started();
  await vi.waitUntil(() => !server.isOpen() && !existsSync(`/proc/${pid}`), WAIT);
  await expect(server.ask({ depth: 'info', names: ['HEAD'] })).rejects.toThrow();
});
