import type { JsonValue } from '@atelier/envelope';
import { EngineError } from '../core/error.ts';
import { type EscalationSink, warningSink } from '../core/escalation.ts';
import type { RunEvent } from '../core/event.ts';
import { checkPolicy, type Policy } from '../core/policy.ts';
import type { TaskId } from '../core/task.ts';
import { memoryJournal } from '../memory/memory-journal.ts';
import { type Acceptance, acceptAll } from './acceptance.ts';
import type { Audit } from './audit.ts';
import { type Briefing, plainBriefing } from './briefing.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Gate, openGate } from './gate.ts';
import type { Journal } from './journal.ts';
import type { Recall } from './recall.ts';
import type { Transport } from './transport.ts';

/** Live telemetry that is not journalled. */
export type RunSignal =
  | {
      readonly kind: 'worker';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly signal: unknown;
    }
  /** The gate holds the next dispatch back. */
  | {
      readonly kind: 'gate';
      readonly taskId: TaskId;
      readonly reason: string;
      readonly waitMs: number;
    };

/** What a run is composed of. Only the transport has no default. */
export interface RunOptions {
  readonly transport: Transport;
  /** Where the run is recorded; in memory when absent, which no crash survives. */
  readonly journal?: Journal;
  readonly clock?: Clock;
  readonly policy?: Partial<Policy>;
  /** Called for every abandonment once it is durable; without one each is a WARNING line. */
  readonly sink?: EscalationSink;
  readonly gate?: Gate;
  readonly acceptance?: Acceptance;
  readonly briefing?: Briefing;
  /** Spares what was done and merged before; without one every task is dispatched. */
  readonly recall?: Recall;
  /** Notices foreign text that addresses the host, for the record. What it throws is ignored. */
  readonly audit?: Audit;
  /** Told every event after it is durable. What it throws is counted and changes nothing. */
  readonly onEvent?: (event: RunEvent) => void;
  readonly onSignal?: (signal: RunSignal) => void;
  /** Aborting it ends the workers and leaves the run resumable. */
  readonly signal?: AbortSignal;
  /** A run of this id that the journal knows is continued; a new id when absent. */
  readonly runId?: string;
  /** A run that the journal knows goes on with the given tasks instead of those it was started with. */
  readonly takePlan?: boolean;
  /** Makes the one-time text of an attempt; random when absent. */
  readonly nonce?: () => string;
  /** Recorded with the start of the run, for whoever resumes or audits it. */
  readonly about?: JsonValue;
}

/** {@link RunOptions} with every default in its place. */
export type RunSetup = Required<Omit<RunOptions, 'policy' | 'signal' | 'about' | 'recall'>> & {
  readonly policy: Policy;
  readonly signal: AbortSignal;
  readonly about: { readonly about?: JsonValue };
  readonly recall: Recall | undefined;
};

/** Throws `NOT_IMPLEMENTED` naming a missing seam, `INVALID_POLICY`, or `STALL_UNSUPPORTED`. */
export function setUp(options: RunOptions): RunSetup {
  const { transport } = options;
  if (typeof transport?.start !== 'function')
    throw new EngineError(
      'NOT_IMPLEMENTED',
      'the transport seam is missing: the engine does not spawn workers itself',
      'Pass options.transport, for example pollingTransport({ spawn, poll }).',
    );
  const policy = checkPolicy(options.policy);
  if (policy.stallMs !== undefined && !transport.capabilities.activity)
    throw new EngineError(
      'STALL_UNSUPPORTED',
      `policy.stallMs is set, but the transport ${transport.name} does not tell when a worker was last active`,
      'Leave stallMs out; the wall clock still bounds every attempt.',
    );
  return {
    transport,
    policy,
    journal: options.journal ?? memoryJournal(),
    clock: options.clock ?? systemClock,
    sink: options.sink ?? warningSink,
    gate: options.gate ?? openGate,
    acceptance: options.acceptance ?? acceptAll,
    briefing: options.briefing ?? plainBriefing,
    recall: options.recall,
    audit: options.audit ?? (() => []),
    onEvent: options.onEvent ?? ignore,
    onSignal: options.onSignal ?? ignore,
    signal: options.signal ?? new AbortController().signal,
    runId: options.runId ?? `run-${crypto.randomUUID()}`,
    takePlan: options.takePlan ?? false,
    nonce: options.nonce ?? (() => crypto.randomUUID()),
    about: options.about === undefined ? {} : { about: options.about },
  };
}

const ignore = () => undefined;
