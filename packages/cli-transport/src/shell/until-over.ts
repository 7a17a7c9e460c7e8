import type { Clock } from '@atelier/engine';
import { childrenOf } from '../process-table.ts';
import type { Launched } from './launch-command.ts';
import type { ShellCall } from './shell-call.ts';

/** Why a command is over. */
export type Cause = 'exited' | 'timeout' | 'stopped';

/** Waits for the command's own end, its time, or the caller's signal. Meanwhile finds who leads the namespaces inside. */
export async function untilOver(
  { timeoutMs, signal }: ShellCall,
  { exited, brood }: Pick<Launched, 'exited' | 'brood'>,
  clock: Clock,
): Promise<Cause> {
  const over = new AbortController();
  const elapsed = async (): Promise<Cause> => {
    const due = clock.now() + timeoutMs;
    for (let left = timeoutMs; left > 0 && !over.signal.aborted; left = due - clock.now())
      await clock.sleep(Math.min(left, LONGEST_SLEEP_MS), over.signal);
    return 'timeout';
  };
  const stopped = new Promise<Cause>((resolve) => {
    if (signal?.aborted) resolve('stopped');
    signal?.addEventListener('abort', () => resolve('stopped'), { signal: over.signal });
  });
  const noteInside = async () => {
    for (let wait = 1; !over.signal.aborted; wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
      brood.inside.push(...childrenOf(brood.leader.pid));
      if (brood.inside.length > 0) return;
      await clock.sleep(wait, over.signal);
    }
  };
  try {
    void noteInside();
    return await Promise.race([exited.then((): Cause => 'exited'), elapsed(), stopped]);
  } finally {
    over.abort();
  }
}

/** Timers of the machine take no more than 24 days. */
const LONGEST_SLEEP_MS = 3_600_000;
const LONGEST_LOOK_MS = 100;
