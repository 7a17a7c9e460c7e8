import { expect, test } from 'vitest';
import type { RunEvent } from '../core/event.ts';
import type { Task } from '../core/task.ts';
import { manualClock } from '../memory/manual-clock.ts';
import { memoryJournal } from '../memory/memory-journal.ts';
import { scriptedTransport } from '../memory/scripted-transport.ts';
import type { RunOptions } from '../shell/options.ts';
import { run } from '../shell/run.ts';
import { waveSummaries } from './watch-waves.ts';

const TASKS: readonly Task[] = [
  { id: 'b', parallel_group: 1 },
  { id: 'a', parallel_group: 1 },
  { id: 'c', parallel_group: 2, depends_on: ['a'] },
];

interface Said {
  readonly status?: string;
  readonly artifacts?: readonly unknown[];
  readonly notes_md?: string;
}

/** Runs the tasks with workers that say what they are told to, `done` with an artifact `["f"]` when nothing. */
async function played(
  says: Readonly<Record<string, Said | readonly Said[]>>,
  { tasks = TASKS, ...options }: Partial<RunOptions> & { readonly tasks?: readonly Task[] } = {},
): Promise<readonly RunEvent[]> {
  const clock = manualClock();
  const journal = memoryJournal();
  const transport = scriptedTransport(
    ({ task, attempt }) => {
      const said = says[String(task.id)] ?? {};
      const own = Array.isArray(said) ? said[attempt - 1] : said;
      const reply = {
        type: 'task_result',
        task_id: task.id,
        attempt,
        status: 'done',
        artifacts: ['f'],
      };
      return {
        report: { kind: 'replied', reply: { notes_md: '', ...reply, ...own } },
        afterMs: 10,
      };
    },
    { clock },
  );
  const sink = () => undefined;
  await clock.runUntil(
    run(tasks, { runId: 'r', clock, journal, transport, sink, nonce: () => 'n', ...options }),
  );
  return journal.events;
}

/** The two artifact lists are `["f"]`: five bytes each. */
const EMPTY_WAVE = 10;

test('3.5: one summary per live wave, in order, with exactly these keys', async () => {
  const tasks = [...TASKS, { id: 'old', parallel_group: 1, status: 'complete' }];
  expect(
    waveSummaries(
      await played({ c: { status: 'abandoned', notes_md: 'ABANDON: scope:no' } }, { tasks }),
    ),
  ).toEqual([
    {
      wave_id: 'wave-0',
      expected: ['a', 'b'],
      reports: { a: 'done', b: 'done' },
      outstanding: [],
      complete: true,
      terminal_only: true,
    },
    {
      wave_id: 'wave-1',
      expected: ['c'],
      reports: { c: 'abandoned' },
      outstanding: [],
      complete: true,
      terminal_only: true,
    },
  ]);
});

test('3.11: at the threshold the summary is untouched; one byte more and it has a digest', async () => {
  // 'é' is two bytes in UTF-8, the emoji four.
  const events = await played({ a: { notes_md: 'é' }, b: { notes_md: '\u{1f600}' } });
  const bytes = EMPTY_WAVE + 2 + 4;
  const [at] = waveSummaries(events, { thresholdBytes: bytes });
  expect(Object.keys(at ?? {})).toEqual([
    ...['wave_id', 'expected', 'reports', 'outstanding', 'complete', 'terminal_only'],
  ]);
  const [above] = waveSummaries(events, { thresholdBytes: bytes - 1 });
  expect(above).toEqual({
    ...at,
    compressed: true,
    reply_bytes: bytes,
    digest: [
      'task_id=a attempt=1 status=done\n  artifacts: 1: f\n  é',
      'task_id=b attempt=1 status=done\n  artifacts: 1: f\n  \u{1f600}',
    ].join('\n\n'),
  });
});

test('3.11: the threshold is 16384 bytes unless told otherwise', async () => {
  const notes_md = 'x'.repeat(16_384 - EMPTY_WAVE);
  const [at] = waveSummaries(await played({ a: { notes_md } }));
  expect(at).not.toHaveProperty('compressed');
  const [above] = waveSummaries(await played({ a: { notes_md: `${notes_md}x` } }));
  expect(above).toMatchObject({ compressed: true, reply_bytes: 16_385 });
});

test('3.11: the count begins anew with each wave', async () => {
  const events = await played({ a: { notes_md: 'x'.repeat(100) }, c: { notes_md: 'y' } });
  const [first, second] = waveSummaries(events, { thresholdBytes: 50 });
  expect(first).toHaveProperty('digest');
  expect(second).not.toHaveProperty('digest');
});

test('3.11: every validated reply counts once, whatever came of it, and nothing else does', async () => {
  const tasks = [
    { id: 'a', parallel_group: 1, assigned_persona: 'dev' },
    { id: 'check', parallel_group: 1, reviews: 'a', assigned_persona: 'critic' },
    { id: 'gone', parallel_group: 1 },
  ];
  const events = await played(
    {
      a: [
        { status: 'blocked', artifacts: [], notes_md: 'which?' },
        { artifacts: [], notes_md: 'hollow: no valid reply' },
        { notes_md: 'fails its checks' },
        { notes_md: 'holds' },
      ],
      gone: { status: 'abandoned', notes_md: 'ABANDON: conflict:two specs' },
    },
    {
      tasks,
      acceptance: {
        accept: ({ attempt }) =>
          attempt === 3
            ? { kind: 'refused', cause: 'verify', detail: 'red' }
            : { kind: 'accepted' },
        integrate: (_, accepted) =>
          accepted.map(({ task }) => ({ kind: 'merged', taskId: task.id })),
      },
    },
  );
  expect(events.map(({ type }) => type)).toContain('review.requested');
  const [summary] = waveSummaries(events, { thresholdBytes: 0 });
  const notes = ['which?', 'fails its checks', 'holds', 'ABANDON: conflict:two specs'].join('');
  // Four replies with ["f"], the reviewer's among them, and one with [].
  expect(summary?.reply_bytes).toBe(notes.length + 4 * 5 + 2);
  expect(summary?.digest?.split('\n').filter((line) => line.startsWith('task_id='))).toEqual([
    'task_id=a attempt=1 status=blocked',
    'task_id=gone attempt=1 status=abandoned',
    'task_id=a attempt=3 status=done',
    'task_id=a attempt=4 status=done',
    'task_id=check attempt=1 status=done',
  ]);
});

test('3.5: a task that was closed as held is reported with the status it asked for', async () => {
  const says = { a: { status: 'needs-input', artifacts: [] } };
  const [summary] = waveSummaries(await played(says, { policy: { onHeld: 'close' } }));
  expect(summary).toMatchObject({
    ...{ reports: { a: 'needs-input', b: 'done' }, complete: true, terminal_only: false },
  });
});

test('3.5: the wave that an interrupted run leaves open is summed up with who is outstanding', async () => {
  const events = await played({});
  const cut = events.findIndex(({ type }) => type === 'task.completed') + 1;
  expect(waveSummaries(events.slice(0, cut))).toEqual([
    {
      wave_id: 'wave-0',
      expected: ['a', 'b'],
      reports: { a: 'done' },
      outstanding: ['b'],
      complete: false,
      terminal_only: false,
    },
  ]);
});

test('3.11: pure: the same events give the same text, and stored replies stay as they were', async () => {
  const events = await played({ a: { notes_md: `\u001b[2J${'x'.repeat(900)}` } });
  const before = JSON.stringify(events);
  const options = { thresholdBytes: 0 };
  expect(waveSummaries(events, options)).toEqual(waveSummaries(JSON.parse(before), options));
  expect(JSON.stringify(events)).toBe(before);
});
