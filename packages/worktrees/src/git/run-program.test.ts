import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it('no descriptor of whoever started the host reaches a program', () => {
  // In a process of its own, for nothing that is opened here is left open for children: by the compiled package.
  const compiled = join(import.meta.dirname, '../../dist/git/run-program.js');
  const look = 'cat <&200; ls /proc/self/fd/201/ && echo a folder; echo looked';
  const given = { cwd: '/', env: { PATH: process.env.PATH }, timeoutMs: 9_000, killAfterMs: 50 };
  const options = JSON.stringify({ ...given, limits: { stdout: 1_000, stderr: 1_000 } });
  const host = `
    const { runProgram } = await import(${JSON.stringify(compiled)});
    const end = await runProgram('bash', ['-c', ${JSON.stringify(look)}], ${options});
    process.stdout.write(end.stdout);`;
  const leaky = ['-c', 'exec 200</etc/passwd 201</etc; exec "$@"', 'leaky', process.execPath];
  const said = execFileSync('bash', [...leaky, '--input-type=module', '-e', host]);
  expect(String(said)).toBe('looked\n');
});
