import { sweep } from '@atelier/cli-transport';
import type { Interrupts } from '../planner/interrupts.ts';
import type { Streams } from '../streams.ts';
import { onInterrupt } from './interrupts.ts';
import type { StopSwitch } from './stop-switch.ts';

/** What an interrupt ends depends on how far a run has come. */
export interface RunInterrupts {
  /** Where its workers are: an earlier host may have left some. */
  loaded(workers: string): void;
  /** Those of the meeting before it. */
  readonly ofMeeting: Interrupts;
  /** From here on there are workers. */
  dispatching(): void;
  close(): void;
}

const WORDS = {
  nobody: 'stopping before anything is dispatched',
  speaker: 'stopping: the speaker is ended, and nothing is dispatched',
  workers: 'stopping: workers are ended and their work is saved',
};

/** The first interrupt ends the run in order; the second one ends whoever works for it, and the host. */
export function runInterrupts(
  { signal, stop }: Pick<StopSwitch, 'signal' | 'stop'>,
  { stderr }: Pick<Streams, 'stderr'>,
): RunInterrupts {
  let ended: keyof typeof WORDS = 'nobody';
  let own: string | undefined;
  let folder: string | undefined;
  const close = onInterrupt({
    onFirst: () => {
      stderr.write(`${WORDS[ended]}\n`);
      stop('hard');
    },
    onSecond: () => {
      const sweeping = folder === undefined ? [] : [sweep(folder, { graceMs: 0 })];
      void Promise.allSettled(sweeping).finally(() => process.exit(5));
    },
  });
  return {
    close,
    loaded(workers) {
      own = workers;
      folder = own;
    },
    ofMeeting: {
      signal,
      onFolder(workers) {
        ended = 'speaker';
        folder = workers;
      },
    },
    dispatching() {
      ended = 'workers';
      folder = own;
    },
  };
}
