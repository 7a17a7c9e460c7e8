import { type Recall, type Replayable, type Task, taskKey } from '@atelier/engine';
import { expect, test } from 'vitest';
import { contentKey } from './content-key.ts';
import { type ForecastSource, forecast, type Standing } from './forecast.ts';

const keyOf = (id: string, title = 't', files = '') =>
  contentKey({
    ...{ briefing: id, task: { id, title }, reviewers: [], settings: null, model: null },
    ...{ trees: [], files },
  });

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...{ id, title: 't', parallel_group: 1, reads: [], writes: [`${id}.txt`] },
  ...more,
});

const replayable = (id: string): Replayable =>
  ({
    from: { runId: 'old', attempt: 1 },
    reply: { type: 'task_result', task_id: id, attempt: 1, status: 'done', artifacts: ['x'] },
    ...{ evidence: { files: [{ path: `${id}.txt` }] }, approvals: [] },
  }) as unknown as Replayable;

/** Whatever the old run has merged stands under the key of its task as it is. */
const tell = async (
  waves: readonly (readonly Task[])[],
  more: Partial<ForecastSource> & {
    readonly merged?: readonly string[];
    readonly files?: string;
  } = {},
) => {
  const { merged = [], files = '', ...source } = more;
  const recall: Recall = {
    contentKey: ({ task: { id, title } }) => keyOf(taskKey(id), title, files),
    find: (key) => merged.filter((id) => keyOf(id) === key).map(replayable)[0],
  };
  const rows = await forecast({
    ...{ tasks: waves.flat(), waves, recall, isGated: false, isBlind: false },
    earlier: async (key) =>
      merged.includes(key)
        ? { runId: 'old', contentKey: keyOf(key), base: 'b', task: task(key) }
        : undefined,
    changedFiles: async () => ['x.txt'],
    ...source,
  });
  return Object.fromEntries(rows.map(({ id, fate, why }) => [id, `${fate}: ${why}`]));
};

test('a task is spared by what was merged under its key, and its reviewer with it', async () => {
  const waves = [
    [task('a'), task('judge', { reviews: 'a' })],
    [task('b', { parallel_group: 2, reads: ['a.txt'] })],
  ];
  expect(await tell(waves, { merged: ['a', 'b'] })).toEqual({
    a: 'replay: merged as attempt 1 of run old',
    judge: 'replay: with the work of task a, which it approved',
    b: 'replay: merged as attempt 1 of run old',
  });
  expect(await tell(waves, { merged: ['b'] })).toEqual({
    a: 'rerun: no earlier run has merged work of it',
    judge: 'rerun: the work of task a is to be reviewed',
    b: 'rerun: it builds on task a, whose work is new',
  });
});

test('what work that is still to be done may change is not guessed at', async () => {
  const first = [task('new', { writes: ['src/**'] })];
  const all = ['in', 'open', 'out', 'side'];
  const later = [
    task('in', { reads: ['src/lib/x.ts'] }),
    task('open', { reads: null }),
    task('out', { reads: ['docs'] }),
  ];
  const found = await tell([first, later], { merged: all });
  expect(found).toMatchObject({
    in: 'unknown: task new may change what it reads before it',
    open: 'rerun: it may read any file, and task new changes some before it',
    out: 'replay: merged as attempt 1 of run old',
  });
  // Within a wave nothing is changed yet.
  const beside = await tell([[...first, task('side', { reads: null })]], { merged: all });
  expect(beside['side']).toMatch(/^replay/u);
  const gated = await tell([first, later], { merged: all, isGated: true });
  expect(gated['out']).toMatch(/^rerun: it may read any file/u);
});

test('why it is done anew is the part of the key that is another', async () => {
  const tells = async (one: Task, more = {}) =>
    (await tell([[one]], { merged: ['a'], ...more }))['a'];
  expect(await tells(task('a', { title: 'u' }))).toBe(
    'rerun: since run old: its own text has changed (title)',
  );
  expect(await tells(task('a'), { files: 'other' })).toBe(
    'rerun: since run old: what workers get or may read outside of git has changed',
  );
  expect(await tells(task('a'), { files: 'other', isBlind: true })).toMatch(/^unknown: run old /u);
  const gone = { recall: { contentKey: () => keyOf('a'), find: () => undefined } };
  expect(await tells(task('a'), gone)).toMatch(/is not on this branch, or was changed since$/u);
  const mute = { recall: { contentKey: () => undefined, find: () => undefined } };
  expect(await tells(task('a'), mute)).toMatch(/too much to compare/u);
  const old = { runId: 'old', contentKey: '0'.repeat(64), base: undefined, task: undefined };
  expect(await tells(task('a', { title: 'u' }), { earlier: async () => old })).toMatch(
    /something has changed that it depends on; what, was not recorded yet$/u,
  );
});

test('what a run has begun stays as it stands, and what builds on it follows', async () => {
  const standing = new Map<string, Standing>([
    ['done', { phase: 'complete', fate: 'kept', why: 'merged' }],
    ['busy', { phase: 'running', fate: 'continues', why: 'goes on' }],
    ['spent', { phase: 'pending', fate: 'abandon', why: 'spent' }],
  ]);
  const waves = [
    [task('done'), task('busy'), task('spent')],
    [
      task('a', { depends_on: ['done'] }),
      task('b', { depends_on: ['busy'] }),
      task('c', { depends_on: ['spent'] }),
    ],
    [task('d', { depends_on: ['c'] })],
  ];
  expect(await tell(waves, { standing, merged: ['a', 'b', 'c'] })).toEqual({
    ...{ done: 'kept: merged', busy: 'continues: goes on', spent: 'abandon: spent' },
    a: 'replay: merged as attempt 1 of run old',
    b: 'rerun: it builds on task busy, whose work is new',
    c: 'abandon: it builds on task spent, which is given up',
    d: 'abandon: it builds on task c, which is given up',
  });
});

test('what can not run is given up, and goes neither by earlier work nor by what it builds on', async () => {
  const waves = [
    [task('a'), task('spent', { attempts: 5 })],
    [task('b', { parallel_group: 2, depends_on: ['spent'] })],
  ];
  const doomed = new Map([
    ['spent', 'spent'],
    ['b', 'spent'],
  ]);
  expect(await tell(waves, { merged: ['a', 'b', 'spent'], doomed })).toEqual({
    a: 'replay: merged as attempt 1 of run old',
    spent: 'abandon: its attempts are spent',
    b: 'abandon: it goes along with task spent, which is lost',
  });
  // A run knows better of what it has under way.
  const standing = new Map<string, Standing>([
    ['spent', { phase: 'running', fate: 'continues', why: 'it goes on' }],
    ['b', { phase: 'pending', fate: 'rerun', why: 'attempt 2 of 5' }],
  ]);
  expect(await tell(waves, { doomed, standing })).toMatchObject({
    spent: 'continues: it goes on',
    b: 'abandon: it goes along with task spent, which is lost',
  });
});
