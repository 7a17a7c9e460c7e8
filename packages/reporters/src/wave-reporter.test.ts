import { memoryJournal, type RunEvent, run, scriptedTransport, watchWaves } from '@atelier/engine';
import { beforeAll, expect, test } from 'vitest';
import { waveReporter } from './wave-reporter.ts';

let events: readonly RunEvent[];

beforeAll(async () => {
  const journal = memoryJournal();
  const tasks = [
    { id: 'a', parallel_group: 1 },
    { id: 'b', parallel_group: 2 },
  ];
  const transport = scriptedTransport(({ task, attempt }) => {
    const reply = { type: 'task_result', task_id: task.id, attempt, status: 'done' };
    const notes_md = `\u202e\u007f${task.id}`;
    return { report: { kind: 'replied', reply: { ...reply, artifacts: ['f'], notes_md } } };
  });
  await run(tasks, { runId: 'r', journal, transport });
  events = journal.events;
});

/** The lines written, and of each after how many events. */
function told(options: {
  readonly history?: readonly RunEvent[];
  readonly thresholdBytes?: number;
}) {
  const lines: string[] = [];
  const { thresholdBytes, ...rest } = options;
  const watch = watchWaves(thresholdBytes === undefined ? {} : { thresholdBytes });
  const tell = waveReporter({ ...rest, watch, write: (line) => lines.push(line) });
  const after = new Set<string>();
  for (const event of events.slice(options.history?.length ?? 0)) {
    const before = lines.length;
    tell(event);
    if (lines.length > before) after.add(event.type);
  }
  return { lines, after: [...after] };
}

test('each wave is one line, written when it has closed', () => {
  const { lines, after } = told({});
  expect(after).toEqual(['wave.closed']);
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    ['a', 'b'].map((key, index) => ({
      ...{ type: 'wave.summary', version: 1, runId: 'r', wave_id: `wave-${index}` },
      ...{ expected: [key], reports: { [key]: 'done' }, outstanding: [] },
      ...{ complete: true, terminal_only: true },
    })),
  );
});

test('3.11: above the threshold it has the digest, safe to print', () => {
  const [line = ''] = told({ thresholdBytes: 0 }).lines;
  expect(JSON.parse(line)).toMatchObject({
    ...{ compressed: true, reply_bytes: 10 },
    digest: 'task_id=a attempt=1 status=done\n  artifacts: 1: f\n  \\u{202e}\\x7fa',
  });
});

test('a resumed run tells no wave twice, and knows what was said before it was resumed', () => {
  const cut = events.findIndex(({ type }) => type === 'wave.closed');
  const inWave = told({ history: events.slice(0, cut), thresholdBytes: 0 });
  expect(inWave.lines).toEqual(told({ thresholdBytes: 0 }).lines);
  expect(told({ history: events.slice(0, cut + 1) }).lines).toHaveLength(1);
});
