import type { BarrierCost, RunReport } from '@atelier/engine';
import { expect, test } from 'vitest';
import { barrierLines } from './barrier-lines.ts';
import { finishedRecord } from './ndjson-reporter.ts';
import { renderReport } from './render-report.ts';

const COST: BarrierCost = {
  runMs: 93_000,
  heldMs: 65_000,
  held: 2,
  longest: { taskId: 'b', ms: 50_000 },
  movable: 2,
  moves: [
    { taskId: 'e', ms: 88_000 },
    { taskId: 'c', ms: 50_000 },
  ],
};

const PIPELINE = '--schedule pipeline does not wait for whole waves.';

test('how long finished work was held, and who could have started earlier', () => {
  expect(barrierLines(COST)).toEqual([
    'The barrier held finished work for 1 min 5 s in all, that of b the longest (50 s).',
    `2 tasks could have started earlier: e by 1 min 28 s, c by 50 s. ${PIPELINE}`,
  ]);
  const one = { ...COST, held: 1, heldMs: 50_000, movable: 0, moves: [] };
  expect(barrierLines(one)).toEqual(['The barrier held the finished work of b for 50 s.']);
});

test('a few tasks are named, the others counted; names are made harmless', () => {
  const moves = ['a\u001b[2J', 'b', 'c', 'd'].map((taskId) => ({ taskId, ms: 9_000 }));
  const { longest: _, ...cost } = { ...COST, heldMs: 0, held: 0, movable: 31, moves };
  expect(barrierLines(cost)).toEqual([
    `31 tasks could have started earlier: a\\x1b[2J by 9 s, b by 9 s, c by 9 s, 28 more. ${PIPELINE}`,
  ]);
});

test.each([
  [5_000, 10_000, false],
  [5_001, 10_000, true],
  [20_000, 1_000_000, false],
  [20_001, 1_000_000, true],
])('%d ms of a run of %d ms: shown is %s', (heldMs, runMs, shown) => {
  const cost = { ...COST, heldMs, runMs, movable: 0, moves: [] };
  expect(barrierLines(cost).length > 0).toBe(shown);
  const moves = [{ taskId: 'e', ms: heldMs }];
  expect(barrierLines({ ...COST, runMs, heldMs: 0, movable: 1, moves }).length > 0).toBe(shown);
});

test('a run without barriers says nothing of them', () => {
  expect(barrierLines(undefined)).toEqual([]);
  expect(finishedRecord({ verdict: 'complete', barrier: undefined })).not.toHaveProperty('barrier');
});

test('the report has it before what is to be done with the work', () => {
  const report: RunReport = {
    ...{ runId: 'r', verdict: 'complete', outcomes: [], escalations: [] },
    ...{ dispatches: 0, undelivered: 0, observerErrors: 0 },
  };
  expect(renderReport(report, { barrier: COST, merged: 'main' })).toMatch(
    /charged\.\n\nThe barrier held .*\n2 tasks could .*\n\nMerged into main\.\n$/,
  );
});

test('the last record of a run has it with keys as programs spell them', () => {
  expect(finishedRecord({ verdict: 'complete', barrier: COST }).barrier).toEqual({
    ...{ run_ms: 93_000, held_ms: 65_000, held: 2, longest: { task_id: 'b', ms: 50_000 } },
    movable: 2,
    moves: [
      { task_id: 'e', ms: 88_000 },
      { task_id: 'c', ms: 50_000 },
    ],
  });
});
