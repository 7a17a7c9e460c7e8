import { expect, test } from 'vitest';
import { type ForecastRow, renderForecast } from './render-forecast.ts';

const row = (id: string | number, fields: Partial<ForecastRow>): ForecastRow => ({
  ...{ id, fate: 'rerun', why: 'no earlier run has merged work of it' },
  ...fields,
});

test('a resumption is told task by task, and summed up', () => {
  const tasks = [
    row('api', { phase: 'complete', fate: 'kept', why: 'merged, by attempt 1' }),
    row(7, { phase: 'running', fate: 'continues', why: 'attempt 2 has delivered' }),
    row('docs', { phase: 'pending' }),
  ];
  expect(
    renderForecast({ version: 1, run_id: 'r1', tasks }),
  ).toBe(`Run r1, if it is resumed as its journal stands:

task  is        then       why
api   complete  kept       merged, by attempt 1
7     running   goes on    attempt 2 has delivered
docs  pending   done anew  no earlier run has merged work of it

3 tasks: 1 kept, 1 goes on, 1 done anew.
`);
});

test('so is a run that would start', () => {
  const tasks = [row('a', { fate: 'replay', why: 'merged' }), row('b', { fate: 'unknown' })];
  const text = renderForecast({ version: 1, tasks });
  expect(text).toMatch(/^A run of this plan, by what earlier runs have merged:\n/u);
  expect(text).toMatch(/^a +- +replayed +merged$/mu);
  expect(text).toContain('2 tasks: 1 replayed, 1 not known.');
  expect(renderForecast({ version: 1, tasks: [] })).toContain('0 tasks: nothing to do.');
});

test('no foreign text reaches the terminal raw', () => {
  const evil = '\u001b[2J\u202e\n';
  const tasks = [row(evil, { phase: evil, why: evil })];
  const text = renderForecast({ version: 1, run_id: evil, tasks });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
