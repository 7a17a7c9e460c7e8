import type { AttemptHandle, Transport, Usage, WorkOrder } from '@atelier/engine';
import type { AgentSignal } from '../output-reader.ts';
import type { ApiProxy } from './api-proxy.ts';
import { attemptToken } from './attempt-token.ts';
import { completedReport } from './completed-report.ts';
import type { Pass } from './pass.ts';

export interface WithApiProxyOptions {
  /**
   * Told of what a worker has used up, estimates included, while it does; `cut` ends it with the cause `cut`, for the run is
   * past its limit. A throw lets it go on.
   */
  readonly onUsage?: (order: WorkOrder, usage: Usage) => 'go' | 'cut';
}

/**
 * A transport whose workers are let in at the proxy for as long as they run, under `attemptToken` of their nonce, and whose
 * reports have what the proxy counted and met.
 */
export function withApiProxy(
  transport: Transport,
  proxy: ApiProxy,
  { onUsage }: WithApiProxyOptions = {},
): Transport {
  const { adopt, release } = transport;

  const admit = (order: WorkOrder, isFromStart: boolean): Admission => {
    const listeners: ((signal: AgentSignal) => void)[] = [];
    let cut: (why: string) => void = () => {};
    const wasCut = new Promise<string>((resolve) => {
      cut = resolve;
    });
    let isOfRun = false;
    const pass = proxy.admit({
      token: attemptToken(order.nonce),
      wallClockMs: order.wallClockMs,
      isFromStart,
      ...(order.terms?.model !== undefined && { model: order.terms.model }),
      onUsage: (usage) => {
        const verdict = onUsage?.(order, usage) ?? 'go';
        isOfRun ||= verdict === 'cut';
        return verdict;
      },
      onCut: cut,
      tell: (signal) => {
        for (const listener of listeners) listener(signal);
      },
    });
    return { pass, wasCut, isOfRun: () => isOfRun, listeners };
  };

  return {
    name: transport.name,
    capabilities: transport.capabilities,
    async start(order, signal) {
      const admission = admit(order, true);
      try {
        return watched(await transport.start(order, signal), admission);
      } catch (error) {
        admission.pass.dismiss();
        throw error;
      }
    },
    ...(adopt && {
      // It may be running, and calling, before it is found.
      async adopt(order: WorkOrder, signal: AbortSignal) {
        const admission = admit(order, false);
        try {
          const handle = await adopt.call(transport, order, signal);
          if (handle) return watched(handle, admission);
        } catch (error) {
          admission.pass.dismiss();
          throw error;
        }
        admission.pass.dismiss();
        return undefined;
      },
    }),
    ...(release && { release: (attempt) => release.call(transport, attempt) }),
  };
}

interface Admission {
  readonly pass: Pass;
  /** Why, once it is. */
  readonly wasCut: Promise<string>;
  /** It was the run that had nothing left for it. */
  readonly isOfRun: () => boolean;
  readonly listeners: ((signal: AgentSignal) => void)[];
}

function watched(
  handle: AttemptHandle,
  { pass, wasCut, isOfRun, listeners }: Admission,
): AttemptHandle {
  if (handle.wallClockLeftMs !== undefined) pass.endsIn(handle.wallClockLeftMs);
  // Whether it could be stopped, the report says.
  wasCut.then((why) => handle.stop(why)).catch(() => undefined);
  const report = handle.report
    .finally(() => pass.dismiss())
    .then((told) => completedReport(told, pass.record()))
    .then((report) =>
      isOfRun() && report.kind === 'failed' && report.cause === 'budget'
        ? { ...report, cause: 'cut' as const }
        : report,
    );
  return {
    report,
    peek: () => handle.peek(),
    stop: (reason) => handle.stop(reason),
    ...(handle.activity && { activity: () => handle.activity?.() ?? 0 }),
    ...(handle.wallClockLeftMs !== undefined && { wallClockLeftMs: handle.wallClockLeftMs }),
    ...(handle.worker !== undefined && { worker: handle.worker }),
    subscribe(listener) {
      listeners.push(listener);
      handle.subscribe?.(listener);
    },
  };
}
