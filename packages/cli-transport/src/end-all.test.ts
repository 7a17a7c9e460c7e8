import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Brood, endAll, endLeftovers, isGone } from './end-all.ts';
import { machineClock } from './machine-clock.ts';
import { machineProc, type Proc } from './proc.ts';
import { identityOf, isRunning } from './process-table.ts';

async function sleeper(): Promise<ChildProcess> {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child;
}

describe('what runs inside a namespace', () => {
  it.each([
    ['asked first', (brood: Parameters<typeof endAll>[0]) => endAll(brood, 50, machineClock)],
    ['at once', (brood: Parameters<typeof endAll>[0]) => endLeftovers(brood, machineClock)],
  ])('is waited for and ended when its leader is gone already: %s', async (_, end) => {
    const leader = await sleeper();
    const first = identityOf((await sleeper()).pid ?? 0);
    const brood = { leader: identityOf(leader.pid ?? 0), nonce: undefined, inside: [first] };
    leader.kill('SIGKILL');
    await once(leader, 'exit');
    expect(isGone(brood)).toBe(false);
    await end(brood);
    expect(isRunning(first)).toBe(false);
    expect(isGone(brood)).toBe(true);
  });

  it('is not touched when its number went to a later process', async () => {
    const later = identityOf((await sleeper()).pid ?? 0);
    const brood = { leader: undefined, nonce: undefined, inside: [{ ...later, startTime: '1' }] };
    expect(isGone(brood)).toBe(true);
    await endLeftovers(brood, machineClock);
    expect(isRunning(later)).toBe(true);
  });
});

const failing = (code: string) => (): never => {
  throw Object.assign(new Error(`${code}: not now`), { code });
};

describe('what can not be told', () => {
  const none: Brood = { leader: undefined, nonce: 'of nobody' };
  const held: Brood = { leader: undefined, nonce: undefined, lock: '/dev/null' };
  const old: Brood = { ...none, leader: { pid: 2 ** 22, startTime: '1' } };
  const tooMany = failing('EMFILE');
  const closed = failing('EACCES');
  const blindly: readonly (readonly [string, Brood, Partial<Proc>])[] = [
    ['the list of processes: too many open files', none, { names: tooMany }],
    ['the list of processes: closed', none, { names: closed }],
    ['who this process is', none, { target: closed }],
    ['an environment: too many open files', none, { environment: tooMany }],
    ['any environment of the same user', none, { environment: closed }],
    ['what is open: too many open files', held, { names: onlyBelow('fd', tooMany) }],
    ['what any process of the same user has open', held, { names: onlyBelow('fd', closed) }],
    ['the file that is held', held, { file: failing('EIO') }],
    ['whether the leader lives', old, { text: tooMany }],
  ];

  function onlyBelow(end: string, fail: () => never): Proc['names'] {
    return (path) => (path.endsWith(end) ? fail() : machineProc.names(path));
  }

  it.each(blindly)('does not count as gone: %s', async (_name, brood, broken) => {
    const proc = { ...machineProc, ...broken };
    expect(isGone(brood, proc)).toBe(false);
    await expect(endLeftovers(brood, machineClock, { hopelessMs: 0, proc })).rejects.toMatchObject({
      code: 'WORKER_UNSTOPPABLE',
    });
    const later = { ...brood, lock: undefined, leader: undefined };
    const { lock: _, ...seen } = later;
    expect(isGone(seen)).toBe(true);
  });

  it('is asked again, until it is told', async () => {
    let asked = 0;
    const names: Proc['names'] = (path) => (++asked < 4 ? tooMany() : machineProc.names(path));
    await endLeftovers(none, machineClock, { proc: { ...machineProc, names } });
    expect(asked).toBeGreaterThanOrEqual(4);
  });

  it.each([
    ['has ended meanwhile', failing('ESRCH')],
    ['has ended before', failing('ENOENT')],
  ])('is not what a process says that %s', (_name, environment) => {
    expect(isGone(none, { ...machineProc, environment })).toBe(true);
  });

  it('is not one process that hides, while others of its user can be read', () => {
    let asked = 0;
    const environment: Proc['environment'] = (pid) =>
      ++asked % 2 ? closed() : machineProc.environment(pid);
    expect(isGone(none, { ...machineProc, environment })).toBe(true);
  });

  it('is nothing about processes of another user, or that are older than the worker', () => {
    const proc = { ...machineProc, environment: closed };
    const theirs: Proc['text'] = (path, encoding) =>
      path.endsWith('/status') ? 'Uid:\t77\t0\t0\t0\n' : machineProc.text(path, encoding);
    expect(isGone(none, { ...proc, text: theirs })).toBe(true);
    const leader = { pid: 2 ** 22, startTime: '99999999999999' };
    expect(isGone({ ...none, leader }, proc)).toBe(true);
  });
});
