import type { AttemptHandle, AttemptReport, WorkOrder } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { Agent, AgentCall, AgentOutput, AttemptPlace } from './agent.ts';

/** How a process that never ran ended. Exit code 0 where neither code nor signal is given. */
export interface FakeEnd {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly replyText?: string;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** Plays the agent's program. The signal aborts when the attempt is stopped. */
export type FakeScript = (
  call: AgentCall,
  order: WorkOrder,
  signal: AbortSignal,
) => FakeEnd | Promise<FakeEnd>;

declare const brand: unique symbol;

/** Runs no process, so it needs no walls. Only {@link fakeRunner} makes one: an object of the same shape is not one. */
export interface FakeRunner {
  readonly kind: 'fake';
  readonly script: FakeScript;
  readonly [brand]: true;
}

const made = new WeakSet<object>();

/** A runner for tests and demonstrations: the agent's call and report are real, its program is `script`. */
export function fakeRunner(script: FakeScript): FakeRunner {
  const runner = Object.freeze({ kind: 'fake', script }) as FakeRunner;
  made.add(runner);
  return runner;
}

export const isFakeRunner = (value: unknown): value is FakeRunner =>
  typeof value === 'object' && value !== null && made.has(value);

/** Plays one attempt. A script that throws is a failed spawn. */
export function playAttempt(
  runner: FakeRunner,
  agent: Agent,
  order: WorkOrder,
  place: AttemptPlace,
): AttemptHandle {
  const over = new AbortController();
  let output: AgentOutput | undefined;
  let stopped: string | undefined;
  const play = async (): Promise<AttemptReport> => {
    const end = await runner.script(agent.call(order, place), order, over.signal);
    if (stopped !== undefined) return interrupted(stopped);
    const { stdout = '', stderr = '', replyText, signal } = end;
    output = { stdout, stderr, replyText, stdoutBytes: Buffer.byteLength(stdout) };
    const exitCode = end.exitCode ?? (signal === undefined ? 0 : undefined);
    return agent.report({ ...output, exitCode, signal, endedAfterReply: false }, order);
  };
  const halted = new Promise<AttemptReport>((resolve) =>
    over.signal.addEventListener('abort', () => resolve(interrupted(stopped ?? '')), {
      once: true,
    }),
  );
  const played = play().catch(
    (error: unknown): AttemptReport => ({
      kind: 'failed',
      cause: 'spawn',
      detail: printable(error),
    }),
  );
  return {
    report: Promise.race([played, halted]),
    peek: async () => (output === undefined ? undefined : agent.replyIn(output, order)),
    stop: async (reason) => {
      stopped ??= reason;
      over.abort();
    },
  };
}

const interrupted = (reason: string): AttemptReport => ({
  kind: 'failed',
  cause: 'interrupted',
  detail: `ended: ${printable(reason)}`,
});
