import { spawn } from 'node:child_process';
import { type Escalation, type EscalationSink, escalationLine } from '@atelier/engine';
import { printable } from '@atelier/envelope';
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
    const end = await endOf(program, args, input);
    if (end !== 0)
      throw new Error(
        `${program} ${typeof end === 'number' ? `exited with ${end}` : `could not tell: ${end}`}`,
      );
  };

/** Its exit code, or in words why there is none. */
const endOf = (program: string, args: readonly string[], input: string): Promise<number | string> =>
  new Promise((resolve) => {
    // The current folder may be a clone that workers write to, and the keys open the model's API.
    const {
      ANTHROPIC_API_KEY: _key,
      CLAUDE_CODE_OAUTH_TOKEN: _token,
      OPENAI_API_KEY: _openai,
      ...env
    } = process.env;
    const told = spawn(program, args, {
      ...{ cwd: '/', env },
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: NOTIFY_MS,
      killSignal: 'SIGKILL',
    });
    told.once('error', ({ message }) => resolve(message));
    told.once('close', (code, signal) => resolve(code ?? `ended by ${signal}`));
    // A program that does not read has its exit code to say so.
    told.stdin.on('error', () => undefined);
    told.stdin.end(input);
  });

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
  let warned = false;
  const tell = notify && oneAtATime(notifyBy(notify));
  return async (escalation, key) => {
    if (!keys.has(key)) {
      keys.add(key);
      stderr.write(`${escalationLine(escalation)}\n`);
    }
    try {
      await tell?.(escalation, key);
    } catch (error) {
      if (!warned) stderr.write(`warning: escalations are not told: ${printable(error, 300)}\n`);
      warned = true;
      throw error;
    }
  };
}

/** A cascade abandons many tasks at once: they are told in their order, and not by as many programs at a time. */
function oneAtATime(sink: EscalationSink): EscalationSink {
  let last: Promise<unknown> = Promise.resolve();
  return (escalation, key) => {
    const told = last.then(() => sink(escalation, key));
    last = told.then(undefined, () => undefined);
    return told;
  };
}
