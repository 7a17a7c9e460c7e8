import {
  type Escalation,
  type ManualClock,
  manualClock,
  memoryJournal,
  type Outcome,
  partitionWaves,
  pollingTransport,
  type RunEvent,
  type RunReport,
  run,
  type ScriptedWorker,
  scriptedTransport,
  type Task,
  type TaskId,
  type Transport,
} from '../src/index.ts';

/** One row of the conformance data. */
export interface Scenario {
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly wall_clock_s: number;
  readonly max_attempts?: number;
  readonly max_workers?: number;
  readonly on_held?: 'retry' | 'close';
  readonly script: Readonly<Record<string, readonly Step[]>>;
  readonly expect: Expectation;
}

interface Step {
  readonly kind: string;
  readonly after_s: number | null;
}

interface ExpectedEscalation {
  readonly kind: 'escalation';
  readonly task_id: string;
  readonly worker: string;
  readonly attempt: number;
  readonly category: string;
  readonly cascade: boolean;
  readonly upstream_any_of: readonly string[];
  readonly surviving_state?: { terminal_tasks: string[]; outstanding_tasks: string[] };
}

interface Expectation {
  readonly waves: readonly (readonly string[])[];
  readonly first_spawn_order: readonly string[];
  readonly spawns: number;
  readonly tasks: Readonly<
    Record<
      string,
      { status: string; attempts: number; category?: string | null; dispatched?: false }
    >
  >;
  readonly escalations: readonly ExpectedEscalation[];
}

/** The reply that a step of the script gives, valid or not. */
export function replyFor(kind: string, taskId: TaskId, attempt: number): unknown {
  const reply = {
    type: 'task_result',
    task_id: taskId,
    attempt,
    status: 'done',
    artifacts: [{ path: `out/${taskId}` }],
    notes_md: '',
    next_action: 'review',
  };
  const [word, category] = kind.split(':');
  switch (word) {
    case 'blocked':
    case 'needs-input':
      return { ...reply, status: word, artifacts: [] };
    case 'abandoned':
      return { ...reply, status: 'abandoned', notes_md: `ABANDON: ${category}:as scripted` };
    case 'wrong-task':
      return { ...reply, task_id: `${taskId}-other` };
    case 'wrong-attempt':
      return { ...reply, attempt: attempt + 1 };
    case 'no-attempt': {
      const { attempt: _, ...rest } = reply;
      return rest;
    }
    case 'hollow':
      return { ...reply, artifacts: [] };
    case 'bad-status':
      return { ...reply, status: 'complete' };
    case 'bad-abandon':
      return { ...reply, status: 'abandoned', notes_md: 'I give up' };
    default:
      return reply;
  }
}

const stepOf = (scenario: Scenario, taskId: TaskId, attempt: number): Step => {
  const step = scenario.script[String(taskId)]?.[attempt - 1];
  if (!step) throw new Error(`${scenario.name}: attempt ${attempt} of ${taskId} is not scripted`);
  return step;
};

const throwing = () => {
  throw new Error('the reply can not be read');
};

/** The scripted workers of a scenario, event by event. */
export function eventTransport(scenario: Scenario, clock: ManualClock): Transport {
  return scriptedTransport(
    ({ task, attempt }): ScriptedWorker => {
      const { kind, after_s } = stepOf(scenario, task.id, attempt);
      if (kind === 'silent') return {};
      if (kind === 'read-error-at-deadline') return { peek: throwing };
      const reply = replyFor(kind, task.id, attempt);
      if (kind === 'late' || after_s === null) return { peek: reply };
      return { report: { kind: 'replied', reply }, afterMs: after_s * 1000 };
    },
    { clock },
  );
}

/** The same workers behind the two functions of the polled seam, scanned every 0.2 s. */
export function scannedTransport(scenario: Scenario, clock: ManualClock): Transport {
  const startedAt = new Map<string, number>();
  const keyOf = (task: Task, attempt: number) => `${task.id}/${attempt}`;
  return pollingTransport({
    clock,
    spawn: (task, attempt) => {
      startedAt.set(keyOf(task, attempt), clock.now());
    },
    poll: (task, attempt) => {
      const { kind, after_s } = stepOf(scenario, task.id, attempt);
      const age = clock.now() - (startedAt.get(keyOf(task, attempt)) ?? Number.NaN);
      const atDeadline = age >= scenario.wall_clock_s * 1000;
      if (kind === 'silent') return null;
      if (kind === 'read-error-at-deadline') return atDeadline ? throwing() : null;
      const ready = kind === 'late' || after_s === null ? atDeadline : age >= after_s * 1000;
      return ready ? replyFor(kind, task.id, attempt) : null;
    },
  });
}

/** What a scenario led to, in the vocabulary of its expectation. */
export interface Observed {
  readonly report: RunReport;
  readonly events: readonly RunEvent[];
  readonly waves: readonly (readonly string[])[];
  readonly spawned: readonly string[];
  readonly delivered: readonly Escalation[];
}

export async function observe(
  scenario: Scenario,
  transportOf: (scenario: Scenario, clock: ManualClock) => Transport,
): Promise<Observed> {
  const clock = manualClock();
  const journal = memoryJournal();
  const delivered: Escalation[] = [];
  const report = await clock.runUntil(
    run(scenario.tasks, {
      runId: scenario.name,
      transport: transportOf(scenario, clock),
      journal,
      clock,
      policy: {
        wallClockMs: scenario.wall_clock_s * 1000,
        ...(scenario.max_attempts === undefined ? {} : { maxAttempts: scenario.max_attempts }),
        ...(scenario.max_workers === undefined ? {} : { maxWorkers: scenario.max_workers }),
        ...(scenario.on_held === undefined ? {} : { onHeld: scenario.on_held }),
      },
      sink: (escalation) => delivered.push(escalation),
    }),
  );
  return {
    report,
    events: journal.events,
    waves: partitionWaves(scenario.tasks).map((wave) => wave.map(({ id }) => String(id))),
    spawned: journal.events.flatMap((event) =>
      event.type === 'attempt.started' ? [String(event.taskId)] : [],
    ),
    delivered,
  };
}

/** An outcome as the final row of a task. */
export function rowOf(outcome: Outcome): {
  status: string;
  attempts: number;
  category: string | null;
} {
  const { attempts } = outcome;
  switch (outcome.kind) {
    case 'done':
      return { status: 'complete', attempts, category: null };
    case 'worker-abandon':
    case 'engine-abandon':
      return { status: 'abandoned', attempts, category: outcome.category };
    default:
      return { status: outcome.kind, attempts, category: null };
  }
}
