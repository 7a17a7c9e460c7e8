import type { Allowance } from './allowance.ts';
import type { Breaker } from './breaker.ts';
import type { LoomClock } from './clock.ts';
import { failed, type LoomResult } from './loom-result.ts';
import { toolValue } from './tool-call.ts';
import type { LoomTransport, OpenedSession } from './transport.ts';

/** The transport within its bounds: a limit for each call, what is left of the allowance, and the breaker. */
export interface Line {
  open(within: Allowance): Promise<LoomResult<OpenedSession>>;
  tool(
    session: string,
    call: { readonly tool: string; readonly args: object },
    within: Allowance,
  ): Promise<LoomResult<unknown>>;
  ping(session: string, within: Allowance): Promise<LoomResult<unknown>>;
  /** Also of a run that ends. */
  close(session: string, within: Allowance): Promise<LoomResult<unknown>>;
}

export function line(options: {
  readonly transport: LoomTransport;
  readonly breaker: Breaker;
  readonly clock: LoomClock;
  readonly callMs: number;
}): Line {
  const { transport, breaker, clock, callMs } = options;

  async function within<T>(
    { leftMs }: Allowance,
    call: (limitMs: number) => Promise<LoomResult<T>>,
  ): Promise<LoomResult<T>> {
    if (breaker.open()) return failed('closed', 'BREAKER_OPEN', 'the chat is off for this run');
    const left = leftMs();
    if (left <= 0) return failed('timeout', 'BUDGET_SPENT', 'no time is left for the chat');
    const answer = await call(Math.min(callMs, left));
    breaker.note(answer);
    return answer;
  }

  /** Of a run that ends, nothing new is begun; what is under way comes to its end, so that no name is left unknown. */
  const unlessEnding = <T>(
    allowance: Allowance,
    call: (limitMs: number) => Promise<LoomResult<T>>,
  ): Promise<LoomResult<T>> =>
    allowance.signal.aborted
      ? Promise.resolve(failed('closed', 'ABORTED', 'the run ends'))
      : within(allowance, call);

  return {
    async open(allowance) {
      const open = () => unlessEnding(allowance, (limitMs) => transport.open(limitMs));
      const first = await open();
      if (first.ok || first.error.code !== '503') return first;
      const waitMs = first.error.retryAfterMs;
      if (waitMs === undefined || waitMs >= allowance.leftMs()) return first;
      await clock.sleep(waitMs, allowance.signal);
      return open();
    },
    tool: (session, { tool, args }, allowance) =>
      unlessEnding(allowance, async (limitMs) => {
        const params = { name: tool, arguments: args };
        const answer = await transport.request(session, { method: 'tools/call', params }, limitMs);
        return answer.ok ? toolValue(answer.value) : answer;
      }),
    ping: (session, allowance) =>
      unlessEnding(allowance, (limitMs) => transport.request(session, { method: 'ping' }, limitMs)),
    close: (session, allowance) =>
      within(allowance, (limitMs) => transport.close(session, limitMs)),
  };
}
