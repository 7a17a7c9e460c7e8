import { breaker } from './breaker.ts';
import { chatLine } from './chat-text.ts';
import { type LoomClock, machineClock } from './clock.ts';
import { tally } from './counters.ts';
import { identities } from './identities.ts';
import { type IdentityStore, memoryIdentities } from './identity-store.ts';
import { LOOM_LIMITS, type LoomLimits } from './limits.ts';
import { line } from './line.ts';
import { liveRun } from './live-run.ts';
import type { LoomRun } from './loom-run.ts';
import type { LoomStatus } from './loom-status.ts';
import { participants } from './participants.ts';
import { roster } from './roster.ts';
import { turns } from './turns.ts';
import { unavailableRun } from './unavailable-run.ts';

export interface OpenRunOptions {
  readonly runId: string;
  readonly channel: string;
  readonly lead: string;
  readonly members: readonly string[];
  /** Absolute path of the workspace; long bodies go to files below it. */
  readonly root: string;
  /** Default: kept as long as the process lives. */
  readonly store?: IdentityStore;
  readonly clock?: LoomClock;
  readonly limits?: Partial<LoomLimits>;
  /** Told once, in one line, when the chat is given up for the run. */
  readonly onTrouble?: (line: string) => void;
}

/**
 * The chat of a run; one that does nothing where there is no server. Opens no connection by itself. Throws
 * `LoomCommsError` for roles that can not be names or are there twice, whether there is a server or not.
 */
export function openRun(status: LoomStatus, options: OpenRunOptions): LoomRun {
  const { runId, channel, root, store = memoryIdentities(), clock = machineClock } = options;
  const roles = roster(options.lead, options.members);
  if (!status.available) return unavailableRun(channel);
  const limits = { ...LOOM_LIMITS, ...options.limits };
  const count = tally();
  const off = breaker({
    failures: limits.failures,
    onTrip({ kind, code, message }) {
      count.breakerTrips++;
      try {
        options.onTrouble?.(chatLine(`the chat is off: ${kind} ${code} ${message}`, 200));
      } catch {
        // A listener changes nothing.
      }
    },
  });
  const wire = line({ transport: status.transport, breaker: off, clock, callMs: limits.callMs });
  const names = identities({ runId, channel, store, onUnrecorded: () => count.unrecorded++ });
  const team = participants({
    line: wire,
    identities: names,
    channel,
    lead: roles.lead,
    most: limits.sessions,
  });
  return liveRun({
    room: {
      runId,
      root,
      channel,
      maxBody: status.maxBody,
      participants: team,
      identities: names,
      tally: count,
      roster: roles,
    },
    line: wire,
    turns: turns({ ...limits, clock }),
    clock,
    keepaliveMs: limits.keepaliveMs,
    isOff: off.open,
  });
}
