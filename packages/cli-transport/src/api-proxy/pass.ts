import type { Clock, Usage } from '@atelier/engine';
import type { AgentSignal } from '../output-reader.ts';
import { beyond, type Ceiling } from './ceiling.ts';
import { type Expected, unanswered } from './expected.ts';
import type { Meter } from './meter.ts';
import type { Room } from './room.ts';
import { sum } from './usage-sum.ts';

/** On which terms a worker may use the model API. */
export interface PassTerms {
  /** What the worker shows: {@link attemptToken} of its nonce. */
  readonly token: string;
  /** What is left of its wall clock. No request waits longer. */
  readonly wallClockMs: number;
  /** The worker has not run before. Default false. */
  readonly isFromStart?: boolean;
  /** The model that it was given. Absent: it may ask for any. */
  readonly model?: string;
  /**
   * Told of what it has used up, estimates included, while it does, and of what it is about to use before that is sent. A
   * throw is no verdict.
   */
  readonly onUsage?: (usage: Usage) => 'go' | 'cut';
  /** The verdict was `cut`, or it passed its ceiling: its requests were ended, and it gets no further one. */
  readonly onCut?: (why: string) => void;
  /** Told of waits, limits and usage; for people and meters. */
  readonly tell?: (signal: AgentSignal) => void;
}

/** What keeps a worker from going on. Forgotten as soon as the API serves it again. */
export type Trouble =
  /** Epoch milliseconds. */
  | { readonly kind: 'limit'; readonly resumeAt: number }
  | { readonly kind: 'account'; readonly detail: string }
  /** It asked for what no worker may have. */
  | { readonly kind: 'request'; readonly detail: string };

/** What came of a pass. */
export interface PassRecord {
  readonly usage: Usage;
  readonly wasCut: boolean;
  /** Why, where it was cut. */
  readonly cutWhy?: string;
  /**
   * The HTTP status of the last request's answer, when that was no success; 0 when there was none, or it broke off or made
   * no sense; undefined when the last request was served, or there was none.
   */
  readonly met: number | undefined;
  /** It was there from the start of the attempt: what it has not counted was not used. */
  readonly isFromStart: boolean;
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
  readonly model: string | undefined;
  /** What its requests may hold together. */
  readonly room: Room;
  leftMs(): number;
  isCut(): boolean;
  meet(trouble: Trouble | undefined): void;
  /** As `met` of a record. */
  answered(met: number | undefined): void;
  tell(signal: AgentSignal): void;
  /** The usage may have changed. */
  metered(): void;
  /** Takes in one request, which `end` can end at any time; undefined when as many run as may. */
  enter(end: () => void): Visit | undefined;
}

/** One request of a pass. */
export interface Visit {
  /** It is about to be sent, and counts as what is expected of it from now on. False: that was too much, and all is cut. */
  sent(expected: Expected): boolean;
  /** The API did not serve it, so that it costs nothing. */
  unserved(): void;
  /** Its answer counts instead of what was expected. */
  metering(meter: Meter): void;
  /** It is over; what it counts stays. Idempotent. */
  leave(): void;
}

interface PassSurroundings {
  readonly clock: Clock;
  readonly maxRequests: number;
  readonly ceiling: Ceiling;
  readonly room: Room;
  readonly onDismissed: () => void;
}

type Counting = Pick<Meter, 'usage' | 'leave'>;

const NOTHING: Counting = { usage: () => ({}), leave: () => undefined };

export function openPass(
  terms: PassTerms,
  { clock, maxRequests, ceiling, room, onDismissed }: PassSurroundings,
): OpenPass {
  const visits = new Map<() => void, Counting>();
  let deadline = clock.now() + terms.wallClockMs;
  let settled: Usage = {};
  let cutWhy: string | undefined;
  let trouble: Trouble | undefined;
  let met: number | undefined;

  const usage = (): Usage =>
    [...visits.values()].reduce<Usage>((all, one) => sum(all, one.usage()), settled);
  const leave = (end: () => void): boolean => {
    const counting = visits.get(end);
    counting?.leave();
    if (counting) settled = sum(settled, counting.usage());
    return visits.delete(end);
  };
  const endAll = () => {
    for (const end of [...visits.keys()]) {
      leave(end);
      end();
    }
  };
  const quietly = <T>(ask: () => T): T | undefined => {
    try {
      return ask();
    } catch {
      // Whoever listens changes nothing but by a verdict.
      return undefined;
    }
  };
  const isTooMuch = (used: Usage): boolean => {
    const isCut = quietly(() => terms.onUsage?.(used)) === 'cut';
    cutWhy ??= isCut ? 'it ran past what it may spend' : beyond(used, ceiling);
    return cutWhy !== undefined;
  };
  const cut = (why: string) => {
    endAll();
    quietly(() => terms.onCut?.(why));
  };
  let toldLast = '{}';
  const metered = () => {
    if (cutWhy !== undefined) return;
    const used = usage();
    const text = JSON.stringify(used);
    if (text !== toldLast) quietly(() => terms.tell?.({ kind: 'usage', usage: used }));
    toldLast = text;
    if (isTooMuch(used)) cut(cutWhy ?? '');
  };

  return {
    model: terms.model,
    room,
    record: () => ({
      usage: usage(),
      wasCut: cutWhy !== undefined,
      met,
      isFromStart: terms.isFromStart ?? false,
      ...(cutWhy !== undefined && { cutWhy }),
      ...(trouble && { trouble }),
    }),
    endsIn(ms) {
      deadline = clock.now() + ms;
    },
    dismiss() {
      onDismissed();
      endAll();
    },
    leftMs: () => deadline - clock.now(),
    isCut: () => cutWhy !== undefined,
    meet(now) {
      trouble = now;
    },
    answered(now) {
      met = now;
    },
    tell: (signal) => void quietly(() => terms.tell?.(signal)),
    metered,
    enter(end) {
      if (visits.size >= maxRequests) return undefined;
      visits.set(end, NOTHING);
      const counts = (counting: Counting) => {
        if (visits.has(end)) visits.set(end, counting);
      };
      return {
        sent(expected) {
          const before = visits.get(end) ?? NOTHING;
          counts({ ...NOTHING, usage: () => unanswered(expected) });
          if (cutWhy === undefined && !isTooMuch(usage())) return true;
          // It is not sent any more.
          counts(before);
          cut(cutWhy ?? '');
          return false;
        },
        unserved: () => counts(NOTHING),
        metering: counts,
        leave() {
          if (leave(end)) metered();
        },
      };
    },
  };
}
