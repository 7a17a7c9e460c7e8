import { join } from 'node:path';
import type { Closure, Outcome, RunReport } from '@atelier/engine';
import type { Reply } from '@atelier/envelope';
import { expect, test } from 'vitest';
import { renderReport, renderStatus } from '../src/index.ts';
import { playToTheEnd, playUntilParked } from './played-run.ts';
import { playReviewed } from './reviewed-run.ts';

const golden = (name: string) => join(import.meta.dirname, 'golden', name);

test('the report of a run that ended', async () => {
  const { report } = await playToTheEnd();
  const text = renderReport(report, {
    runBranch: 'atelier/run-1',
    mergeCommand: 'git merge atelier/run-1',
  });
  await expect(text).toMatchFileSnapshot(golden('report.txt'));
});

test('the report of a parked run says why, until when and what to do', async () => {
  const { report } = await playUntilParked();
  await expect(renderReport(report, { unsandboxed: true })).toMatchFileSnapshot(
    golden('report-parked.txt'),
  );
});

test('the report of a reviewed run has what was changed, and the claims that do not hold', async () => {
  const { report } = await playReviewed();
  const text = renderReport(report, { runBranch: 'atelier/run-4', merged: 'main' });
  await expect(text).toMatchFileSnapshot(golden('report-reviewed.txt'));
});

const reply: Reply = {
  type: 'task_result',
  task_id: 'x',
  attempt: 1,
  status: 'done',
  artifacts: ['a.ts', { path: 'b.ts' }, { path: 7 }, 3, null, '', ['c'], 'd.ts', 'e.ts'],
  notes_md: 'Which one?',
};

const failed: Closure = { kind: 'failed', cause: 'verify', detail: 'exit code 1' };

const head = { parallelGroup: 1, worker: null, attempts: 2 };

const EVERY_KIND: readonly Outcome[] = [
  { ...head, taskId: 'done', kind: 'done', reply },
  { ...head, taskId: 'gave-up', kind: 'worker-abandon', reply, category: 'scope', reason: 'wide' },
  {
    ...head,
    taskId: 'cascade',
    kind: 'engine-abandon',
    category: 'blocked',
    upstreamId: 'gave-up',
    lastStatus: '',
  },
  {
    ...head,
    taskId: 'spent',
    kind: 'engine-abandon',
    category: 'capacity',
    upstreamId: null,
    lastStatus: 'exit: exit code 1',
  },
  { ...head, taskId: 'held', kind: 'held', reply, status: 'needs-input' },
  { ...head, taskId: 'failed', kind: 'failed-attempt', closure: failed },
  {
    ...head,
    taskId: 'refused',
    kind: 'failed-attempt',
    closure: { kind: 'rejected', field: 'status', detail: 'no such word' },
  },
  { ...head, taskId: 'waits', kind: 'pending', accepted: false },
  { ...head, taskId: 'accepted', kind: 'pending', accepted: true },
];

const report = (fields: Partial<RunReport>): RunReport => ({
  runId: 'r',
  verdict: 'interrupted',
  outcomes: [],
  escalations: [],
  dispatches: 0,
  undelivered: 0,
  observerErrors: 0,
  ...fields,
});

test('every kind of outcome has its line', async () => {
  const text = renderReport(
    report({ outcomes: EVERY_KIND, dispatches: 18, undelivered: 1, observerErrors: 2 }),
    { resumeCommand: 'atelier resume --repo /srv/shop' },
  );
  await expect(text).toMatchFileSnapshot(golden('report-every-kind.txt'));
});

test.each([
  [{}, ''],
  [{ mergeCommand: 'git merge x' }, '\nTake it over with: git merge x\n'],
  [{ mergeCommand: 'git merge x', merged: 'main' }, '\nMerged into main.\n'],
  [
    { mergeCommand: 'git merge x', notMerged: 'main is checked out and not clean' },
    '\nIt was not merged: main is checked out and not clean\nTake it over with: git merge x\n',
  ],
  [{ notMerged: 'no' }, '\nIt was not merged: no\n'],
])('%j: how the work was or is taken over', (options, text) => {
  const heading = 'Run r: complete. 0 of 0 tasks done, 0 attempts charged.\n';
  expect(renderReport(report({ verdict: 'complete' }), options)).toBe(heading + text);
});

test.each([
  [{ changed: 2, insertions: 12, deletions: 3 }, '+12 −3 in 2 files: a.ts'],
  [{ changed: 1, insertions: 0, deletions: 0 }, '+0 −0 in 1 file: a.ts'],
  [{ changed: 0, insertions: 0, deletions: 0 }, 'no change: a.ts'],
  [{ changed: 2, insertions: '12', deletions: 3 }, 'a.ts'],
  [{ changed: -1, insertions: 1, deletions: 3 }, 'a.ts'],
  [{ changed: 2 }, 'a.ts'],
  ['guard', 'a.ts'],
  [null, 'a.ts'],
])('evidence %j of a done task reads %s', (evidence, detail) => {
  const outcomes: Outcome[] = [
    {
      ...{ ...head, taskId: 'a', kind: 'done', evidence },
      reply: { ...reply, artifacts: ['a.ts'] },
    },
  ];
  const text = renderReport(report({ outcomes }));
  expect(text).toContain(`\na     done     2         ${detail}\n`);
});

test('many claims are counted', () => {
  const mismatches = Array.from({ length: 90 }, (_, index) => ({
    ...{ path: `${index}.ts`, claimed: 'f00', found: 'c' },
  }));
  const outcomes: Outcome[] = [
    { ...head, taskId: 'a', kind: 'done', reply, evidence: { mismatches } },
  ];
  expect(renderReport(report({ outcomes }))).toMatch(
    /- a: claimed sha256 of 19\.ts differs from the file's\n- and 70 more\n/,
  );
});

test('a run of nothing has a heading only', () => {
  expect(renderReport(report({ verdict: 'complete' }))).toBe(
    'Run r: complete. 0 of 0 tasks done, 0 attempts charged.\n',
  );
});

test.each(['usage-limit', 'account', 'gate', 'integration'] as const)(
  'parked by %s, a person is told what to do',
  (cause) => {
    const text = renderReport(report({ verdict: 'parked', parking: { cause, detail: 'so' } }));
    expect(text).toMatch(
      new RegExp(
        `\\nThe run is parked \\(${cause}\\): so\\.\\n\\w.+\\nGo on with: atelier resume\\n`,
      ),
    );
  },
);

test('an instant that is none is left out', () => {
  const parking = { cause: 'gate', detail: '', resumeAt: Number.NaN } as const;
  expect(renderReport(report({ verdict: 'parked', parking }))).toContain(
    'The run is parked (gate).\n',
  );
});

test('a status is the tasks by wave', () => {
  const tasks = [
    { taskId: 'api', phase: 'complete', attempts: 1 },
    { taskId: 7, phase: 'running', attempts: 2 },
    { taskId: 'ui', phase: 'reviewing', attempts: 1 },
  ] as const;
  const waves = [
    { group: 1, tasks },
    { group: 20, tasks: [{ taskId: 'docs', phase: 'pending', attempts: 0 }] as const },
  ];
  expect(renderStatus({ runId: 'r', waves })).toBe(`Run r: not ended. 1 of 4 tasks done.

wave          task  phase      attempts
1             api   complete   1
              7     running    2
              ui    reviewing  1
2 (group 20)  docs  pending    0
`);
  expect(renderStatus({ runId: 'r', verdict: 'complete', waves: [] })).toBe(
    'Run r: complete. 0 of 0 tasks done.\n',
  );
});
