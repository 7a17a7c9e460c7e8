import type { PlanPreview, PreviewTask } from '@atelier/engine/plan';
import { expect, test } from 'vitest';
import { scheduleText } from './preview-schedule.ts';

const task = (id: string, fields: Partial<PreviewTask>): PreviewTask => ({
  ...{ id, title: '', worker: null, depends_on: [], writes: [], after_wave: null },
  ...fields,
});

const preview = (
  schedule: 'parallel' | 'pipeline',
  waves: readonly PreviewTask[][],
): PlanPreview => ({
  ...{ version: 1, goal: 'g', maxAttempts: 5, closed: 0, live: 1, maxDispatches: 5, warnings: [] },
  ...{ schedule, waves: waves.map((tasks, wave) => ({ wave, group: wave + 1, tasks })) },
});

const WAVES = [
  [task('a', {}), task('open', { unstated: ['writes'] })],
  [
    task('b', { after_wave: 0, early: true }),
    task('c', { after_wave: 0, unstated: ['reads'] }),
    task('d', { after_wave: 0, early: true, unstated: ['reads'] }),
    task('e', { after_wave: 0 }),
  ],
];

test('the barrier is told with what another schedule would free', () => {
  expect(scheduleText(preview('parallel', WAVES))).toEqual([
    'Schedule: parallel, wave by wave. With pipeline 2 tasks need not wait for the whole wave before.',
    '1 task is held to the barrier in any case, for not saying what is read or written: c.',
  ]);
});

test('a pipeline is told with what it frees, and whom it can not', () => {
  expect(scheduleText(preview('pipeline', WAVES))[0]).toBe(
    'Schedule: pipeline. 2 tasks need not wait for the whole wave before.',
  );
});

test('with one wave there is nothing to tell', () => {
  expect(scheduleText(preview('pipeline', [[task('a', {})]]))).toEqual([]);
});
