import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { holdLock } from '../src/hold-lock.ts';
import { canBeAnother, tryAsUser } from './other-user.ts';
import { onSmallDisk } from './small-disk.ts';

/** The path of a lock that nobody has taken yet, in a folder that goes when the test does. */
function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'lock.db');
}

const DOOR = join(import.meta.dirname, '../dist/index.js');

it('one holder at a time; the other is told who it is', () => {
  const path = lockFile();
  const first = holdLock({ path, holder: 'run r of pid 7' });
  expect(() => holdLock({ path, holder: 'me' })).toThrow(
    expect.objectContaining({
      code: 'STORE_LOCKED',
      message: expect.stringContaining('run r of pid 7'),
    }),
  );
  first.release();
  first.release();
  holdLock({ path, holder: 'me' }).release();
});

it('kill -9 of the holder frees it', async () => {
  const path = lockFile();
  const script = `import { holdLock } from '${DOOR}'; holdLock({ path: '${path}', holder: 'child' }); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(() => holdLock({ path, holder: 'me' })).toThrow(/child/);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  holdLock({ path, holder: 'me' }).release();
});

it('a lock whose holder dropped it is still held when its memory was collected', async () => {
  const path = lockFile();
  const script = `import { holdLock } from '${DOOR}'; holdLock({ path: '${path}', holder: 'child' }); setTimeout(() => { gc(); setTimeout(() => { gc(); console.log('collected'); }, 10); }, 10); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  try {
    expect(() => holdLock({ path, holder: 'me' })).toThrow(/child/);
  } finally {
    child.kill('SIGKILL');
  }
});

it('the name of who held it is gone when it is released', () => {
  const path = lockFile();
  holdLock({ path, holder: 'the first' }).release();
  expect(existsSync(`${path}.holder`)).toBe(false);
});

it('a name that can not be written loses no lock; the other hears of another process', () => {
  const path = lockFile();
  mkdirSync(`${path}.holder`);
  const held = holdLock({ path, holder: 'me' });
  expect(() => holdLock({ path, holder: 'you' })).toThrow('in use by another process');
  held.release();
});

it('O-38 a full disk has room for the lock, if not for the name', () => {
  expect(onSmallDisk('try.mjs', { kilobytes: 64, before: ['lock'] })).toBe('null');
});

it('a name is foreign text: bounded, and on one line', () => {
  const path = lockFile();
  const held = holdLock({ path, holder: `\u001b[2J\n${'x'.repeat(5_000)}` });
  expect(() => holdLock({ path, holder: 'you' })).toThrow(
    /^it is in use by \\x1b\[2J\\x0ax{150,200}…$/u,
  );
  held.release();
});

describe('what can not be a lock is refused by name, with the way out', () => {
  it('a folder that is not there', () => {
    const path = join(lockFile(), 'missing', 'lock.db');
    expect(() => holdLock({ path, holder: 'me' })).toThrow(
      expect.objectContaining({
        code: 'STORE_LOCK_UNUSABLE',
        message: expect.stringMatching(/lock\.db in a folder that is not there can not be taken/u),
        hint: expect.stringContaining('folder must exist'),
      }),
    );
  });

  it('a file of something else', () => {
    const path = lockFile();
    const text = 'not a lock, but long enough to be looked at '.repeat(100);
    writeFileSync(path, text);
    expect(() => holdLock({ path, holder: 'me' })).toThrow(
      expect.objectContaining({
        code: 'STORE_LOCK_UNUSABLE',
        hint: expect.stringContaining('it holds no data'),
      }),
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('a folder in its place', () => {
    const path = lockFile();
    mkdirSync(path);
    expect(() => holdLock({ path, holder: 'me' })).toThrow(
      expect.objectContaining({ code: 'STORE_LOCK_UNUSABLE' }),
    );
  });
});

describe.runIf(canBeAnother)('between users', () => {
  /** A lock that root has taken once, in a folder that everybody may write. */
  function roots(mode: number): string {
    const path = lockFile();
    chmodSync(dirname(path), 0o777);
    holdLock({ path, holder: 'root' }).release();
    chmodSync(path, mode);
    return path;
  }

  it.each([0o644, 0o600])('a lock that is not theirs is no lock for them: mode %o', (mode) => {
    const path = roots(mode);
    expect(tryAsUser('lock', path)).toMatchObject({
      code: 'STORE_LOCK_UNUSABLE',
      message: expect.stringContaining(`${path}, of user 0 with mode 0${mode.toString(8)},`),
      hint: expect.stringContaining('have them make it writable for you, or remove it'),
    });
    expect(statSync(path).size).toBe(0);
  });

  it('who may only read it still sees that it is held, and by whom', () => {
    const path = roots(0o644);
    const held = holdLock({ path, holder: 'run r of root' });
    expect(tryAsUser('lock', path)).toMatchObject({
      code: 'STORE_LOCKED',
      message: 'it is in use by run r of root',
    });
    held.release();
  });

  it('one that all may write excludes all, and leaves to the next', () => {
    const path = roots(0o666);
    expect(tryAsUser('lock', path)).toBeNull();
    const held = holdLock({ path, holder: 'root' });
    expect(tryAsUser('lock', path)).toMatchObject({ code: 'STORE_LOCKED' });
    held.release();
    expect(tryAsUser('lock', path)).toBeNull();
  });

  it('a name that another user left behind is written over where the folder allows it', () => {
    const path = roots(0o666);
    writeFileSync(`${path}.holder`, 'nobody');
    chownSync(`${path}.holder`, 65_534, 65_534);
    chmodSync(`${path}.holder`, 0o400);
    const held = holdLock({ path, holder: 'root again' });
    expect(() => holdLock({ path, holder: 'me' })).toThrow('root again');
    held.release();
  });
});

/** A process that asks for the lock whenever it is told. */
function racer(path: string, name: string) {
  const file = join(import.meta.dirname, 'fixtures/race-for-lock.mjs');
  const child = spawn(process.execPath, [file, path, name]);
  child.stderr.pipe(process.stderr, { end: false });
  const waiting: ((line: string) => void)[] = [];
  const told: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const next = waiting.shift();
      if (next) next(line);
      else told.push(line);
    }
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    line: (): Promise<string> => {
      const known = told.shift();
      return known === undefined
        ? new Promise((resolve) => void waiting.push(resolve))
        : Promise.resolve(known);
    },
    say: (line: string) => void child.stdin.write(`${line}\n`),
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

it('O-50 eight processes that ask at once, twenty times: one holder each time, and it is named', async () => {
  const path = lockFile();
  const racers = Array.from({ length: 8 }, (_, index) => racer(path, `racer ${index}`));
  const all = (say?: string) => {
    for (const one of racers) if (say) one.say(say);
    return Promise.all(racers.map(({ line }) => line()));
  };
  await all();
  for (let round = 0; round < 20; round += 1) {
    const told = await all('ask');
    const holder = told.indexOf('held');
    expect(told.filter((line) => line === 'held')).toHaveLength(1);
    for (const line of told.toSpliced(holder, 1))
      expect(line).toBe(`STORE_LOCKED: it is in use by racer ${holder}`);
    await all('release');
  }
  await Promise.all(racers.map(({ end }) => end()));
}, 120_000);
