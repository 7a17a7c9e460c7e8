import type { Outcome, Task } from '@atelier/engine';
import { expect, test } from 'vitest';
import { outcomeRecord, type RunFacts } from './outcome-record.ts';
import { renderOutcomeRecord } from './render-outcome-record.ts';

const facts: RunFacts = {
  goal: 'Tea',
  endedAt: '2026-01-01T00:00:00.000Z',
  runMode: 'balanced',
  branch: 'atelier/r',
  bypasses: [],
};

const head = { parallelGroup: 1, worker: null, attempts: 1 };
const reply = {
  type: 'task_result',
  task_id: 'a',
  attempt: 1,
  status: 'done',
  artifacts: ['a'],
  notes_md: 'did it\nall',
} as const;

const recordOf = (
  outcomes: readonly Outcome[],
  tasks: readonly Task[] = [],
  more: Partial<RunFacts> = {},
) =>
  outcomeRecord(
    { runId: 'r', verdict: 'abandoned', dispatches: 3, outcomes, escalations: [] },
    tasks,
    { ...facts, ...more },
  );

test('kinds of abandonment are told apart, whatever a worker wrote', () => {
  const { tasks } = recordOf([
    {
      ...head,
      taskId: 'a',
      kind: 'done',
      reply,
      evidence: { changed: 1, insertions: 2, deletions: 0 },
    },
    { ...head, taskId: 'b', kind: 'worker-abandon', reply, category: 'scope', reason: 'too large' },
    {
      ...head,
      taskId: 'c',
      kind: 'engine-abandon',
      category: 'blocked',
      upstreamId: 'b',
      lastStatus: 'cascade',
    },
    {
      ...head,
      taskId: 'd',
      kind: 'engine-abandon',
      category: 'capacity',
      upstreamId: null,
      lastStatus: 'spent',
    },
    { ...head, taskId: 'e', kind: 'held', status: 'needs-input', reply },
    { ...head, taskId: 'f', kind: 'pending', accepted: true },
  ]);
  expect(tasks.map(({ taskId: _, title: __, wave, persona, attempts, ...rest }) => rest)).toEqual([
    {
      kind: 'done',
      notesFirstLine: 'did it …',
      changes: { files: 1, insertions: 2, deletions: 0 },
    },
    { kind: 'worker-abandon', category: 'scope', reason: 'too large' },
    { kind: 'engine-abandon', category: 'blocked', upstreamTaskId: 'b', reason: 'cascade' },
    { kind: 'engine-abandon', category: 'capacity', reason: 'spent' },
    { kind: 'held', category: 'needs-input', notesFirstLine: 'did it …' },
    { kind: 'pending', reason: 'accepted, not merged yet' },
  ]);
});

test('meeting, phase and bypasses are told where there were any', () => {
  const text = renderOutcomeRecord(
    recordOf([], [], {
      meeting: { summary: 'Consensus.', decisions: ['go'], openPoints: ['when'], partial: true },
      phase: { before: 'plan:approved', after: 'tdd:red', why: 'the run ended abandoned' },
      bypasses: [{ skill: 'dev:dispatch', agent: 'ann', reason: 'urgent' }],
    }),
  );
  expect(text).toContain(
    '### Meeting before the run (partial)\n\nConsensus.\n- decided: go\n- open: when',
  );
  expect(text).toContain('Phase: plan:approved → tdd:red (the run ended abandoned).');
  expect(text).toContain('Gate of dev:dispatch bypassed by ann: urgent.');
});

test('what the meeting has used is told, also where nobody knows all of it', () => {
  const told = (costUsd: number, unknown: number) =>
    renderOutcomeRecord(
      recordOf([], [], {
        meetingCost: {
          ...{ attempts: 2, inputTokens: 10, outputTokens: 1_200, costUsd },
          ...{ cacheReadTokens: 0, cacheWriteTokens: 0, unmetered: unknown, unpriced: unknown },
        },
      }),
    );
  expect(told(0.25, 0)).toContain('The meeting took 2 attempts: 1200 output tokens, $0.2500.\n');
  expect(told(0, 2)).toContain('output tokens, cost unknown.\n');
});

test('a line break or a direction mark in a title leaves the table whole', () => {
  const text = renderOutcomeRecord(
    recordOf(
      [{ ...head, taskId: 'a', kind: 'done', reply }],
      [{ id: 'a', title: 'x\n| y | \u202e z' }],
    ),
  );
  expect(text.split('\n').filter((line) => line.startsWith('| 1 |'))).toHaveLength(1);
  expect(text).not.toContain('\u202e');
});
