import { type Escalation, type EscalationSink, escalationLine } from '@atelier/engine';
import { execa } from 'execa';
import { HostError } from '../host-error.ts';
import type { Streams } from '../streams.ts';

/** A program that tells people, and its arguments. */
export type NotifyCommand = readonly [program: string, ...args: string[]];

/** A program that takes longer has not told anybody. */
const NOTIFY_MS = 30_000;

/**
 * Hands an escalation to the user's own program, as one JSON object on its standard input. It counts as told when the
 * program exits with 0; it may be told again, under the same `key`.
 */
const notifyBy =
  ([program, ...args]: NotifyCommand): EscalationSink =>
  async (escalation: Escalation, key: string) => {
    const input = `${JSON.stringify({ version: 1, key, ...escalation })}\n`;
    const told = await execa(program, args, {
      ...{ input, timeout: NOTIFY_MS, reject: false, stdout: 'ignore', stderr: 'ignore' },
      ...{ forceKillAfterDelay: 1_000, cleanup: true },
    });
    if (told.exitCode !== 0)
      throw new HostError(
        'NOT_NOTIFIED',
        `${program} ${told.exitCode === undefined ? 'could not be run' : `exited with ${told.exitCode}`}`,
        'See escalations.notify in the config.',
      );
  };

/** What this process has told as it happened needs no second line; what an earlier one owes does. */
export interface Told {
  /** Takes the keys of the escalations that were shown. */
  readonly keys: Set<string>;
}

/** The sink of a command: a line for what was not shown yet, and the user's program for everything. */
export function sinkOf(
  notify: NotifyCommand | undefined,
  { stderr }: Pick<Streams, 'stderr'>,
  { keys }: Told,
): EscalationSink {
  const tell = notify && notifyBy(notify);
  return async (escalation, key) => {
    if (!keys.has(key)) {
      keys.add(key);
      stderr.write(`${escalationLine(escalation)}\n`);
    }
    await tell?.(escalation, key);
  };
}
