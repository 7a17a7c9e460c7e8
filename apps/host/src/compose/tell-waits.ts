import type { RunSignal } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { Streams } from '../streams.ts';

/** Says once why the next dispatch is held back, until the reason is another. */
export function tellWaits({ stderr }: Pick<Streams, 'stderr'>): (signal: RunSignal) => void {
  let last = '';
  return (signal) => {
    if (signal.kind !== 'gate' || signal.reason === last) return;
    last = signal.reason;
    stderr.write(`waiting: ${printable(signal.reason, 300)}\n`);
  };
}
