import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineClock } from '../machine-clock.ts';
import { childrenOf, identityOf, type ProcessIdentity } from '../process-table.ts';
import { untilOver } from './until-over.ts';

const never = new Promise<never>(() => undefined);
const call = { command: 'true', worktree: '/', timeoutMs: 60_000 };
const self = { leader: identityOf(process.pid), nonce: '' };

describe('waiting for a command', () => {
  it('meanwhile finds the first process below its leader', async () => {
    const leader = spawn('sh', ['-c', 'sleep 1000; :'], { stdio: 'ignore' });
    await once(leader, 'spawn');
    const inside: ProcessIdentity[] = [];
    const brood = { leader: identityOf(leader.pid ?? 0), nonce: '', inside };
    const over = new AbortController();
    const waiting = untilOver(
      { ...call, signal: over.signal },
      { brood, exited: never },
      machineClock,
    );
    while (inside.length === 0) await machineClock.sleep(5);
    const [first] = inside;
    onTestFinished(() => void process.kill(first?.pid ?? 0, 'SIGKILL'));
    expect(inside).toEqual(childrenOf(leader.pid ?? 0));
    over.abort();
    expect(await waiting).toBe('stopped');
  });

  it('does not wait for one that was stopped before', async () => {
    const signal = AbortSignal.abort();
    const brood = { ...self, inside: [] };
    expect(await untilOver({ ...call, signal }, { brood, exited: never }, machineClock)).toBe(
      'stopped',
    );
  });
});
