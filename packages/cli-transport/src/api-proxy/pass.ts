import type { Clock, Usage } from '@atelier/engine';
import type { AgentSignal } from '../output-reader.ts';
import type { Meter } from './meter.ts';
import { sum } from './usage-sum.ts';

/** On which terms a worker may use the model API. */
export interface PassTerms {
  /** What the worker shows: {@link attemptToken} of its nonce. */
  readonly token: string;
  /** What is left of its wall clock. No request waits longer. */
  readonly wallClockMs: number;
  /** Told of what it has used up, estimates included, while it does. A throw is no verdict. */
  readonly onUsage?: (usage: Usage) => 'go' | 'cut';
  /** The verdict was `cut`: its requests were ended, and it gets no further one. */
  readonly onCut?: () => void;
  /** Told of waits, limits and usage; for people and meters. */
  readonly tell?: (signal: AgentSignal) => void;
}

/** What keeps a worker from going on. Forgotten as soon as the API serves it again. */
export type Trouble =
  /** Epoch milliseconds. */
  | { readonly kind: 'limit'; readonly resumeAt: number }
  | { readonly kind: 'account'; readonly detail: string };

/** What came of a pass. */
export interface PassRecord {
  readonly usage: Usage;
  readonly wasCut: boolean;
  readonly trouble?: Trouble;
}

/** A worker's permission, until it is dismissed. */
export interface Pass {
  record(): PassRecord;
  /** Sets what is left of its wall clock. */
  endsIn(ms: number): void;
  /** Ends its requests and lets no further one in. Idempotent. */
  dismiss(): void;
}

/** A pass as the proxy handles it. */
export interface OpenPass extends Pass {
  leftMs(): number;
  isCut(): boolean;
  meet(trouble: Trouble | undefined): void;
  tell(signal: AgentSignal): void;
  /** The usage may have changed. */
  metered(): void;
  /** Takes in one request, which `end` can end at any time; undefined when as many run as may. */
  enter(end: () => void): Visit | undefined;
}

/** One request of a pass. */
export interface Visit {
  /** From now on its answer counts. */
  metering(meter: Meter): void;
  /** It is over; what its meter counted stays. Idempotent. */
  leave(): void;
}

interface PassSurroundings {
  readonly clock: Clock;
  readonly maxRequests: number;
  readonly onDismissed: () => void;
}

export function openPass(
  terms: PassTerms,
  { clock, maxRequests, onDismissed }: PassSurroundings,
): OpenPass {
  const visits = new Map<() => void, Meter | undefined>();
  let deadline = clock.now() + terms.wallClockMs;
  let settled: Usage = {};
  let isCut = false;
  let trouble: Trouble | undefined;

  const usage = (): Usage =>
    [...visits.values()].reduce<Usage>(
      (all, meter) => (meter ? sum(all, meter.usage()) : all),
      settled,
    );
  const endAll = () => {
    for (const end of [...visits.keys()]) end();
  };
  const quietly = <T>(ask: () => T): T | undefined => {
    try {
      return ask();
    } catch {
      // Whoever listens changes nothing but by a verdict.
      return undefined;
    }
  };

  return {
    record: () => ({ usage: usage(), wasCut: isCut, ...(trouble && { trouble }) }),
    endsIn(ms) {
      deadline = clock.now() + ms;
    },
    dismiss() {
      onDismissed();
      endAll();
    },
    leftMs: () => deadline - clock.now(),
    isCut: () => isCut,
    meet(met) {
      trouble = met;
    },
    tell: (signal) => void quietly(() => terms.tell?.(signal)),
    metered() {
      if (isCut) return;
      const used = usage();
      quietly(() => terms.tell?.({ kind: 'usage', usage: used }));
      isCut = quietly(() => terms.onUsage?.(used)) === 'cut';
      if (!isCut) return;
      endAll();
      quietly(() => terms.onCut?.());
    },
    enter(end) {
      if (visits.size >= maxRequests) return undefined;
      visits.set(end, undefined);
      return {
        metering: (meter) => void visits.set(end, meter),
        leave() {
          const meter = visits.get(end);
          if (meter) settled = sum(settled, meter.usage());
          visits.delete(end);
        },
      };
    },
  };
}
