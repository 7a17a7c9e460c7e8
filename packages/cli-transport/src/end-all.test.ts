import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endAll, endLeftovers, isGone } from './end-all.ts';
import { machineClock } from './machine-clock.ts';
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
