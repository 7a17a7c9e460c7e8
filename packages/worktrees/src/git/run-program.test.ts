import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const call = (timeoutMs: number) => ({
  ...{ cwd: '/', env: { PATH: process.env.PATH ?? '' }, timeoutMs, killAfterMs: 50 },
  limits: { stdout: 1_000, stderr: 1_000 },
});

it('a program that has ended is not waited for because of what it left holding its output', async () => {
  const script = 'setsid sleep 5 & echo done';
  const end = await runProgram('sh', ['-c', script], call(300));
  expect(end.stdout.toString()).toBe('done\n');
  expect(end.exitCode).toBe(0);
});

it('what a program has started is ended with it', async () => {
  const end = await runProgram('sh', ['-c', 'sleep 1000 & echo $!; wait'], call(300));
  expect(end.cut).toBe('time');
  const pid = Number(end.stdout.toString());
  // One that nobody has taken notice of yet has ended all the same.
  const lives = () => {
    try {
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    } catch {
      return false;
    }
  };
  await expect.poll(lives).toBe(false);
});

it('a program that is not there is told by its code', async () => {
  expect(await runProgram('no-such-program', [], call(300))).toMatchObject({ why: 'ENOENT' });
});
