import type { Closure, Escalation, Outcome, Policy, RunEvent, RunFact } from '@atelier/engine';
import type { JsonValue, Reply } from '@atelier/envelope';
import { expect, test } from 'vitest';
import {
  finishedRecord,
  jsonLine,
  lineReporter,
  ndjsonReporter,
  renderReport,
  renderStatus,
  terminalReporter,
} from '../src/index.ts';

/** Clears the screen, sets the title and the clipboard, rings, reorders, breaks the line, and is half a pair. */
const EVIL =
  '\u001b[2J\u001b[H\u001b]0;all green\u0007\u001b]52;c;ZWNobyBoaQ==\u0007\u009b2J\u202e\u2028\r\n\ud83d';

/** Where the types allow only certain words, the run time has not checked them. */
const evil = EVIL as never;

const reply: Reply = {
  type: 'task_result',
  task_id: EVIL,
  attempt: EVIL,
  status: evil,
  artifacts: [EVIL, { path: EVIL }],
  notes_md: EVIL,
};

const CLOSURES: readonly Closure[] = [
  { kind: 'done', reply },
  { kind: 'abandoned', reply, category: evil, reason: EVIL },
  { kind: 'held', reply, status: evil },
  { kind: 'rejected', field: EVIL, detail: EVIL },
  { kind: 'failed', cause: evil, detail: EVIL, findings: EVIL },
];

const evidence: JsonValue = {
  base: EVIL,
  changed: 1,
  insertions: 1,
  deletions: 1,
  files: [{ path: EVIL, status: EVIL }],
  mismatches: [{ path: EVIL, claimed: EVIL, found: EVIL }],
  conflicts: [{ taskId: EVIL, paths: [EVIL] }],
};

const escalation: Escalation = {
  kind: 'escalation',
  task_id: EVIL,
  worker: EVIL,
  attempt: 1,
  category: EVIL,
  last_status: EVIL,
  upstream_task_id: EVIL,
  surviving_state: {
    wave_id: EVIL,
    terminal_tasks: [EVIL],
    outstanding_tasks: [EVIL],
    artifacts: [EVIL],
  },
};

const policy: Policy = {
  maxWorkers: 1,
  maxAttempts: 1,
  wallClockMs: 1000,
  onHeld: 'retry',
  raiseCaps: false,
};

const started = { type: 'attempt.started', taskId: EVIL, attempt: 1, nonce: EVIL } as const;

/** Every event there is; the compiler finds one that is missing. */
const FACTS = {
  'run.started': [
    {
      type: 'run.started',
      tasks: [{ id: EVIL, parallel_group: 1, title: EVIL, [EVIL]: EVIL }],
      policy,
    },
  ],
  'run.resumed': [{ type: 'run.resumed', policy }],
  'plan.taken': [{ type: 'plan.taken', tasks: [{ id: EVIL, parallel_group: 1 }] }],
  'wave.opened': [{ type: 'wave.opened', wave: 0, group: 1, size: 1 }],
  'attempt.started': [started, { ...started, reviews: { taskId: EVIL, attempt: 1 } }],
  'attempt.accepted': [
    { type: 'attempt.accepted', taskId: EVIL, attempt: 1, reply, evidence: EVIL },
    started,
    { type: 'attempt.accepted', taskId: EVIL, attempt: 1, reply, evidence },
    started,
  ],
  'audit.noted': [
    {
      ...{ type: 'audit.noted', kind: 'untrusted_instruction', taskId: EVIL, attempt: 1 },
      ...{ source: evil, field: EVIL, excerpt: EVIL },
    },
  ],
  'attempt.checked': [
    { type: 'attempt.checked', taskId: EVIL, attempt: 1, stage: EVIL, evidence: EVIL },
    { type: 'attempt.checked', taskId: EVIL, attempt: 1, stage: 'verify' },
  ],
  'review.requested': [
    {
      ...{ type: 'review.requested', taskId: EVIL, attempt: 1, reply, evidence },
      reviewers: [EVIL],
    },
    started,
  ],
  'attempt.closed': CLOSURES.flatMap((closure) => [
    { type: 'attempt.closed', taskId: EVIL, attempt: 1, closure } as const,
    started,
  ]),
  'integration.started': [{ type: 'integration.started', wave: 0, taskIds: [EVIL] }],
  'integration.failed': [{ type: 'integration.failed', wave: 0, detail: EVIL }],
  'task.completed': [{ type: 'task.completed', taskId: EVIL, attempt: 1, evidence: EVIL }],
  'task.abandoned': (['worker', 'engine', 'engine'] as const).map((by, index) => ({
    type: 'task.abandoned',
    taskId: EVIL,
    attempt: 1,
    by,
    category: EVIL,
    lastStatus: EVIL,
    upstreamId: index === 1 ? EVIL : null,
  })),
  'attempt.spawned': [{ type: 'attempt.spawned', taskId: EVIL, attempt: 1, worker: EVIL }],
  'attempt.replied': [{ type: 'attempt.replied', taskId: EVIL, attempt: 1, reply }],
  'integration.checked': [{ type: 'integration.checked', wave: 0, stage: EVIL, evidence: EVIL }],
  'task.replayed': [
    { type: 'task.replayed', taskId: EVIL, from: { runId: EVIL, attempt: 1 }, reply, evidence },
  ],
  'task.held': [{ type: 'task.held', taskId: EVIL, attempt: 1, status: evil }],
  'escalation.raised': [{ type: 'escalation.raised', key: EVIL, escalation }],
  'escalation.delivered': [{ type: 'escalation.delivered', key: EVIL }],
  'wave.closed': [{ type: 'wave.closed', wave: 0, group: 1 }],
  'run.parked': [{ type: 'run.parked', cause: evil, detail: EVIL, resumeAt: 0 }],
  'run.interrupted': [{ type: 'run.interrupted', reason: EVIL }],
  'run.finished': [{ type: 'run.finished', verdict: evil }],
} satisfies Record<RunFact['type'], readonly RunFact[]>;

const EVENTS = Object.values(FACTS)
  .flat()
  .map((fact, index) => ({ ...fact, runId: EVIL, seq: index + 1, at: EVIL }) as RunEvent);

const ESC = '\x1b';

/** Hide and show the cursor; go up and clear below. */
const OWN_SEQUENCES = new RegExp(`${ESC}\\[\\?25[hl]|(?:${ESC}\\[\\d+A)?\\r${ESC}\\[J`, 'g');

const SETTING = {
  runMode: { mode: EVIL, reason: EVIL },
  sandbox: { kind: 'confined', by: EVIL },
} as const;

const head = { taskId: EVIL, parallelGroup: 1, worker: EVIL, attempts: 1 };

const OUTCOMES: readonly Outcome[] = [
  { ...head, kind: 'done', reply, evidence, replayedFrom: { runId: EVIL, attempt: 1 } },
  { ...head, kind: 'worker-abandon', reply, category: evil, reason: EVIL },
  { ...head, kind: 'engine-abandon', category: 'blocked', upstreamId: EVIL, lastStatus: EVIL },
  { ...head, kind: 'engine-abandon', category: 'capacity', upstreamId: null, lastStatus: EVIL },
  { ...head, kind: 'held', reply, status: evil },
  ...CLOSURES.map((closure) => ({ ...head, kind: 'failed-attempt', closure }) as const),
  { ...head, kind: 'pending', accepted: true },
];

const REPORT = {
  runId: EVIL,
  verdict: 'parked',
  outcomes: OUTCOMES,
  escalations: [escalation],
  dispatches: 1,
  parking: { cause: evil, detail: EVIL },
  undelivered: 0,
  observerErrors: 0,
} as const;

const harmless = (text: string): void => {
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(text).toMatch(/\\x1b|\\u001b/);
};

const gather = (make: (write: (text: string) => void) => (event: RunEvent) => void): string => {
  let text = '';
  const report = make((each) => {
    text += each;
  });
  for (const event of EVENTS) report(event);
  return text;
};

test('O-53: the line reporter writes no raw control character, and one line for one event', () => {
  const text = gather((write) => lineReporter({ ...SETTING, write }));
  harmless(text);
  const silent = /^(escalation\.|attempt\.(closed|checked|spawned|replied)|integration\.checked)/;
  const told = EVENTS.filter(
    (event) =>
      !silent.test(event.type) ||
      (event.type === 'attempt.checked' && event.stage === 'verify') ||
      (event.type === 'attempt.closed' && event.closure.kind !== 'abandoned'),
  );
  expect(text.split('\n')).toHaveLength(told.length + 1);
});

test('O-53: the NDJSON reporter writes no raw control character, and loses nothing', () => {
  const text = gather((write) => ndjsonReporter({ write }));
  harmless(text);
  const read = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(read).toEqual(EVENTS.filter(({ type }) => type !== 'run.finished'));
  harmless(jsonLine(finishedRecord(REPORT, [reply])));
});

test('O-53: the live view writes its own cursor sequences and no other', () => {
  const text = gather((write) => {
    const reporter = terminalReporter({ ...SETTING, write, columns: () => 120, now: () => 0 });
    return (event) => {
      reporter.event(event);
      reporter.redraw();
    };
  });
  expect(text).toContain('\x1b[?25l');
  harmless(text.replaceAll(OWN_SEQUENCES, ''));
});

test('O-53: the report and the status hold no raw control character', () => {
  const text = renderReport(REPORT, {
    runBranch: EVIL,
    mergeCommand: EVIL,
    notMerged: EVIL,
    resumeCommand: EVIL,
    unsandboxed: true,
  });
  harmless(text);
  expect(text.split('\n')).toHaveLength(29);
  harmless(renderReport(REPORT, { merged: EVIL }));
  const tasks = [{ taskId: EVIL, phase: evil, attempts: 1 }];
  harmless(renderStatus({ runId: EVIL, verdict: evil, waves: [{ group: 1, tasks }] }));
});
