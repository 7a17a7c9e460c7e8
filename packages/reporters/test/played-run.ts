import {
  type Gate,
  manualClock,
  memoryJournal,
  type RunEvent,
  type RunReport,
  run,
  scriptedTransport,
  type Task,
} from '@atelier/engine';

interface Played {
  readonly report: RunReport;
  readonly events: readonly RunEvent[];
  /** What came before a resumption. */
  readonly history: readonly RunEvent[];
}

const TASKS: readonly Task[] = [
  { id: 'spec', parallel_group: 1, assigned_persona: 'writer' },
  { id: 'schema', parallel_group: 1 },
  { id: 'api', parallel_group: 2, depends_on: ['spec'], assigned_persona: 'backend' },
  { id: 'flaky', parallel_group: 2 },
  { id: 'asks', parallel_group: 2 },
  { id: 'broken', parallel_group: 2 },
  { id: 'docs', parallel_group: 3, depends_on: ['api'] },
  { id: 'release', parallel_group: 3, depends_on: ['schema'] },
  { id: 'old', parallel_group: 1, status: 'complete' },
];

const STATUS: Readonly<Record<string, string>> = { api: 'abandoned', asks: 'needs-input' };

const NOTES: Readonly<Record<string, string>> = {
  api: 'ABANDON: conflict:the two specs disagree\nSee notes.',
  asks: 'Which currency?',
};

/** A run of the real engine with scripted workers: a failure that recovers, an abandonment that cascades, a question, a spent budget. */
const script = (clock: ReturnType<typeof manualClock>) =>
  scriptedTransport(
    ({ task: { id }, attempt }) => {
      if (id === 'broken' || (id === 'flaky' && attempt === 1))
        return {
          report: { kind: 'failed', cause: 'exit', detail: `exit code ${attempt}` },
          afterMs: 2500,
        };
      const reply = {
        type: 'task_result',
        task_id: id,
        attempt,
        status: STATUS[String(id)] ?? 'done',
        artifacts: [{ path: `out/${id}.md` }, { kind: 'note' }],
        notes_md: NOTES[String(id)] ?? '',
      };
      return { report: { kind: 'replied', reply }, afterMs: 61_000 };
    },
    { clock },
  );

async function play(runId: string, gate: Gate, resumed: boolean): Promise<Played> {
  const clock = manualClock();
  const journal = memoryJournal();
  const events: RunEvent[] = [];
  let nonce = 0;
  const once = (with_: Gate): Promise<RunReport> =>
    clock.runUntil(
      run(TASKS, {
        runId,
        clock,
        journal,
        gate: with_,
        transport: script(clock),
        policy: { maxWorkers: 2, maxAttempts: 2, onHeld: 'close' },
        nonce: () => {
          nonce += 1;
          return `n${nonce}`;
        },
        sink: () => undefined,
        onEvent: (event) => events.push(event),
      }),
    );
  const report = await once(gate);
  if (!resumed) return { report, events, history: [] };
  const history = [...events];
  events.length = 0;
  return { report: await once(() => ({ kind: 'go' })), events, history };
}

const parkAt =
  (parked: string): Gate =>
  ({ task: { id } }) =>
    id === parked
      ? {
          kind: 'park',
          cause: 'usage-limit',
          detail: 'resets at 9 am',
          resumeAt: 1_767_258_000_000,
        }
      : { kind: 'go' };

/** From the start to an end with abandonments. */
export const playToTheEnd = (): Promise<Played> => play('run-1', () => ({ kind: 'go' }), false);

/** Parked at a limit in the second wave. */
export const playUntilParked = (): Promise<Played> => play('run-2', parkAt('flaky'), false);

/** Parked, then resumed to its end. */
export const playResumed = (): Promise<Played> => play('run-3', parkAt('flaky'), true);
