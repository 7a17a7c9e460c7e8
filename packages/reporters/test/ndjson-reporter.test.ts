import type { RunEvent } from '@atelier/engine';
import { expect, test } from 'vitest';
import { finishedRecord, jsonLine, ndjsonReporter } from '../src/index.ts';
import { playToTheEnd } from './played-run.ts';

test('each event is a line of JSON, and the end of the run is told once, as the last line', async () => {
  const { events, report } = await playToTheEnd();
  let text = '';
  const write = (line: string) => {
    text += line;
  };
  const tell = ndjsonReporter({ write });
  for (const event of events) tell(event);
  const results = [{ task_id: 'spec' }];
  write(jsonLine(finishedRecord(report, results)));

  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  const read = lines.map((line) => JSON.parse(line));
  expect(read.slice(0, -1)).toEqual(events.filter(({ type }) => type !== 'run.finished'));
  expect(read.filter(({ type }) => type === 'run.finished')).toHaveLength(1);
  expect(Object.keys(read.at(-1))).toEqual(['type', 'verdict', 'results', 'escalations']);
  expect(read.at(-1)).toEqual({
    type: 'run.finished',
    verdict: 'abandoned',
    results,
    escalations: report.escalations,
  });
});

test('a refused run has the same last line', () => {
  expect(jsonLine(finishedRecord({ verdict: 'refused' }))).toBe(
    '{"type":"run.finished","verdict":"refused","results":[],"escalations":[]}\n',
  );
});

test('how the merged work was taken over is told where there was anything to take over', () => {
  expect(finishedRecord({ verdict: 'complete', merged: 'main' })).toEqual({
    ...{ type: 'run.finished', verdict: 'complete', results: [], escalations: [] },
    merged: 'main',
  });
  expect(finishedRecord({ verdict: 'complete', notMerged: 'main has moved' })).toMatchObject({
    not_merged: 'main has moved',
  });
});

test('a run that has not begun, and was not refused, says why', () => {
  expect(finishedRecord({ verdict: 'parked', notBegun: 'its meeting waits' })).toEqual({
    ...{ type: 'run.finished', verdict: 'parked', results: [], escalations: [] },
    not_begun: 'its meeting waits',
  });
});

test('a line is exact for every text, and safe to print', () => {
  const text = '\u001b[2J\u0007\u007f\u009b\u202e\u2028\ud83d\u{e0041} ä日👍\n"\\';
  const line = jsonLine({ text });
  expect(JSON.parse(line)).toEqual({ text });
  expect(line).toContain(' ä日👍');
  expect(line.isWellFormed()).toBe(true);
  expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('what JSON has no word for is null', () => {
  expect(jsonLine(undefined)).toBe('null\n');
});

test('an event is written as it is, unknown keys included', () => {
  const lines: string[] = [];
  const event = { type: 'wave.closed', wave: 0, group: 1, runId: 'r', seq: 1, at: '', extra: [1] };
  ndjsonReporter({ write: (line) => lines.push(line) })(event as RunEvent);
  expect(lines).toEqual([`${JSON.stringify(event)}\n`]);
});
