import {
  type Acceptance,
  manualClock,
  type RunEvent,
  type RunReport,
  run,
  scriptedTransport,
  type Task,
} from '@atelier/engine';
import type { JsonValue } from '@atelier/envelope';

const TASKS: readonly Task[] = [
  { id: 'api', parallel_group: 1, assigned_persona: 'backend', verify: 'npm test' },
  { id: 'ui', parallel_group: 1 },
  { id: 'critic', parallel_group: 7, assigned_persona: 'critic', reviews: 'api', writes: [] },
  { id: 'docs', parallel_group: 2, depends_on: ['api'] },
];

const REVIEW_NOTES = '\n  The limit is off by one.\nsrc/api.ts line 7: it says <=.\n';

const EVIDENCE: Readonly<Record<string, JsonValue>> = {
  api: {
    base: 'b'.repeat(40),
    changed: 2,
    insertions: 12,
    deletions: 3,
    files: [{ path: 'src/api.ts', status: 'modified', insertions: 12, deletions: 3 }],
    products: [{ path: 'src/api.ts', sha256: 'c'.repeat(64), bytes: 9 }],
    mismatches: [
      { path: 'src/api.ts', claimed: 'f00', found: 'c'.repeat(64) },
      { path: 'src/never.ts', claimed: 'f00', found: null },
    ],
    conflicts: [{ taskId: 'ui', paths: ['src/x.ts'] }],
  },
  ui: { changed: 1, insertions: 1, deletions: 0 },
  docs: { changed: 0, insertions: 0, deletions: 0 },
};

/** Stages as the product's own checks pass them; a gate that is red with the work of `ui`, every time. */
const acceptance: Acceptance = {
  accept({ task: { id } }, _reply, { pass }) {
    pass('changes', { changed: 2 });
    if (id === 'api') pass('verify');
    return { kind: 'accepted', evidence: EVIDENCE[id] ?? null };
  },
  integrate: (_wave, accepted) =>
    accepted.map(({ task: { id: taskId } }) =>
      taskId === 'ui'
        ? {
            kind: 'refused',
            taskId,
            cause: 'wave-gate',
            detail: 'the gate is red with its changes: exit code 1',
            findings: 'not ok 7\nexpected 2, got 3',
          }
        : { kind: 'merged', taskId },
    ),
};

/** A run of the real engine: a review that turns the work down and then approves it, and a culprit of a red gate. */
export async function playReviewed(): Promise<{
  readonly report: RunReport;
  readonly events: readonly RunEvent[];
}> {
  const clock = manualClock();
  const events: RunEvent[] = [];
  let reviews = 0;
  const transport = scriptedTransport(
    ({ task: { id }, attempt, review }) => {
      if (review) reviews += 1;
      const turnedDown = review !== undefined && reviews === 1;
      const reply = {
        type: 'task_result',
        task_id: id,
        attempt,
        status: turnedDown ? 'blocked' : 'done',
        artifacts: [{ path: `src/${review ? 'api' : id}.ts` }],
        notes_md: turnedDown ? REVIEW_NOTES : 'Done.',
      };
      return { report: { kind: 'replied', reply }, afterMs: 12_000 };
    },
    { clock },
  );
  let nonce = 0;
  const report = await clock.runUntil(
    run(TASKS, {
      runId: 'run-4',
      clock,
      transport,
      acceptance,
      policy: { maxWorkers: 2, maxAttempts: 2 },
      nonce: () => {
        nonce += 1;
        return `n${nonce}`;
      },
      sink: () => undefined,
      onEvent: (event) => events.push(event),
    }),
  );
  return { report, events };
}
