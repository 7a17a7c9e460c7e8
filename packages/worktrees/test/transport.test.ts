import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Acceptance,
  type AttemptHandle,
  type AttemptReport,
  run as runPlan,
  type Task,
  type Transport,
  type WorkOrder,
} from '@atelier/engine';
import { expect, it } from 'vitest';
import { type Run, withWorktrees } from '../src/index.ts';
import { safeName } from '../src/safe-name.ts';
import { clone, commit, git, seenBy, start, write } from './scratch.ts';

const done = ({ task, attempt }: WorkOrder): AttemptReport => ({
  kind: 'replied',
  reply: {
    type: 'task_result',
    task_id: task.id,
    attempt,
    status: 'done',
    artifacts: ['x'],
    notes_md: '',
    next_action: null,
  },
});

/** A transport whose workers are functions on their folder. One that gives nothing runs until it is stopped. */
function workers(
  work: (path: string, order: WorkOrder) => AttemptReport | undefined,
): Transport & { readonly orders: WorkOrder[] } {
  const orders: WorkOrder[] = [];
  const begin = async (order: WorkOrder): Promise<AttemptHandle> => {
    orders.push(order);
    const report = work(order.workspace ?? '/nonexistent', order);
    let stop = () => {};
    const stopped = new Promise<AttemptReport>((resolve) => {
      stop = () => resolve({ kind: 'failed', cause: 'interrupted', detail: 'stopped' });
    });
    return {
      report: report ? Promise.resolve(report) : stopped,
      peek: async () => null,
      stop: async () => stop(),
    };
  };
  return {
    name: 'functions',
    capabilities: { adopt: true, stop: 'kills' },
    orders,
    start: begin,
    adopt: begin,
  };
}

/** Accepts whatever is saved, and merges it. */
const merging = (run: Run): Acceptance => ({
  async accept({ task, attempt }) {
    const { commit } = (await run.saved({ taskId: task.id, attempt })) ?? {};
    return commit === undefined
      ? { kind: 'refused', cause: 'acceptance', detail: 'nothing was saved' }
      : { kind: 'accepted', evidence: { commit } };
  },
  async integrate(_wave, accepted) {
    const offers = accepted.map(({ task, evidence }) => ({
      taskId: task.id,
      commit: (evidence as { commit: string }).commit,
    }));
    return (await run.integrate(offers)).map((merge) =>
      merge.kind === 'merged'
        ? { kind: 'merged', taskId: merge.taskId }
        : { kind: 'refused', taskId: merge.taskId, cause: 'conflict', detail: `${merge.paths}` },
    );
  },
});

async function play(
  dir: string,
  tasks: readonly Task[],
  work: (path: string, order: WorkOrder) => AttemptReport | undefined,
  policy: { maxAttempts?: number; wallClockMs?: number } = {},
) {
  const started = await start(dir);
  const inner = workers(work);
  const transport = withWorktrees(inner, started.run);
  const report = await runPlan(tasks, {
    runId: 'r1',
    transport,
    acceptance: merging(started.run),
    policy: { maxAttempts: 1, ...policy },
    sink: () => undefined,
  });
  const outcomes = report.outcomes.map((outcome) => JSON.stringify(outcome));
  for (const order of inner.orders) await transport.release?.(order);
  return { ...started, report, outcomes, orders: inner.orders };
}

const leftovers = (root: string): string[] =>
  readdirSync(join(root, 'wt')).flatMap((slug) => readdirSync(join(root, 'wt', slug)));

it('a plan of two waves runs: each worker in a folder of its own, merged in order, nothing left over', async () => {
  const dir = clone();
  write(dir, { 'f.txt': 'a person’s edit' });
  const before = seenBy(dir);
  const seen: string[] = [];
  const { run, report, orders } = await play(
    dir,
    [
      { id: 'b', parallel_group: 1 },
      { id: 'a', parallel_group: 1 },
      { id: 'c', parallel_group: 2, depends_on: ['a', 'b'] },
    ],
    (path, order) => {
      seen.push(`${order.task.id} ${readdirSync(path).sort().join(' ')}`);
      write(path, { [`${order.task.id}.txt`]: 'x' });
      return done(order);
    },
  );
  expect(report.verdict).toBe('complete');
  expect([...seen].sort()).toEqual(['a .git f.txt', 'b .git f.txt', 'c .git a.txt b.txt f.txt']);
  expect(new Set(orders.map(({ workspace }) => workspace)).size).toBe(3);
  expect(git(dir, 'log', '--first-parent', '--format=%s', run.branch).split('\n')).toEqual([
    'Merge task c',
    'Merge task b',
    'Merge task a',
    'base',
  ]);
  expect(leftovers(run.root)).toEqual([]);
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(seenBy(dir)).toBe(before);
});

it('a second attempt starts from the tip, not from the work of the first', async () => {
  const seen: string[][] = [];
  const { report } = await play(
    clone(),
    [{ id: 'a', parallel_group: 1 }],
    (path, order) => {
      seen.push(readdirSync(path).sort());
      write(path, { [`${order.attempt}.txt`]: 'x' });
      return order.attempt === 1
        ? { kind: 'failed', cause: 'exit', detail: 'crashed' }
        : done(order);
    },
    { maxAttempts: 2 },
  );
  expect(report.verdict).toBe('complete');
  expect(seen).toEqual([
    ['.git', 'f.txt'],
    ['.git', 'f.txt'],
  ]);
});

it.each<[string, (order: WorkOrder) => AttemptReport | undefined]>([
  ['a crash', () => ({ kind: 'failed', cause: 'exit', detail: 'crashed' })],
  ['an unusable reply', () => ({ kind: 'replied', reply: 'nonsense' })],
  ['a timeout', () => undefined],
  [
    'giving up',
    (order) => {
      const { reply } = done(order) as { reply: object };
      return {
        kind: 'replied',
        reply: { ...reply, status: 'abandoned', notes_md: 'ABANDON: capacity:no' },
      };
    },
  ],
])('%s leaves the work on a ref before the worktree goes', async (_name, end) => {
  const dir = clone();
  const { run, report } = await play(
    dir,
    [{ id: 'a', parallel_group: 1 }],
    (path, order) => {
      write(path, { 'half.txt': 'half' });
      return end(order);
    },
    { wallClockMs: 3_000 },
  );
  expect(report.verdict).toBe('abandoned');
  expect(git(dir, 'show', `refs/atelier/r1/${safeName('a')}/1:half.txt`)).toBe('half');
  expect(await run.tip()).toBe(run.base);
  expect(leftovers(run.root)).toEqual([]);
});

it('O-23: a conflict fails the task that came second, naming the paths, and the wave goes on', async () => {
  const dir = clone();
  const { outcomes } = await play(
    dir,
    ['a', 'b', 'c'].map((id) => ({ id, parallel_group: 1 })),
    (path, order) => {
      write(path, { [order.task.id === 'c' ? 'c.txt' : 'f.txt']: `${order.task.id}\n` });
      return done(order);
    },
  );
  expect(outcomes.map((one) => /"kind":"([^"]+)"/.exec(one)?.[1])).toEqual([
    'done',
    'engine-abandon',
    'done',
  ]);
  expect(outcomes[1]).toMatch(/conflict.*f\.txt/);
});

it('a conflict is tried again from the merged work', async () => {
  const dir = clone();
  const { report, run } = await play(
    dir,
    ['a', 'b'].map((id) => ({ id, parallel_group: 1 })),
    (path, order) => {
      const text = readFileSync(join(path, 'f.txt'), 'utf8');
      write(path, { 'f.txt': `${text}${order.task.id}\n` });
      return done(order);
    },
    { maxAttempts: 2 },
  );
  expect(report.verdict).toBe('complete');
  expect(git(dir, 'show', `${run.branch}:f.txt`)).toBe('base\na\nb');
});

it('a worktree that can not be carved rejects the start, and no worker runs', async () => {
  const { orders, outcomes } = await play(
    clone(),
    [{ id: 'a', parallel_group: 1 }],
    (path, order) => {
      write(path, { x: '1' });
      return done(order);
    },
  );
  expect(orders).toHaveLength(1);
  expect(outcomes[0]).toContain('done');
  const dir = clone();
  const { run } = await start(dir);
  git(dir, 'branch', '-q', '-D', run.branch.replace('refs/heads/', ''));
  const inner = workers(() => undefined);
  const order = {
    runId: 'r1',
    task: { id: 'a' },
    attempt: 1,
    nonce: 'n',
    briefing: '',
    wallClockMs: 1000,
  };
  await expect(
    withWorktrees(inner, run).start(order, new AbortController().signal),
  ).rejects.toMatchObject({
    code: 'RUN_BRANCH_MISSING',
  });
  expect(inner.orders).toEqual([]);
});

it('a worker that does not start leaves no worktree', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const order = {
    runId: 'r1',
    task: { id: 'a' },
    attempt: 1,
    nonce: 'n',
    briefing: '',
    wallClockMs: 1000,
  };
  const broken = withWorktrees(
    workers(() => {
      throw new Error('no such program');
    }),
    run,
  );
  await expect(broken.start(order, new AbortController().signal)).rejects.toThrow(
    'no such program',
  );
  expect(leftovers(run.root)).toEqual([]);
});

const order = {
  runId: 'r1',
  task: { id: 'a' },
  attempt: 1,
  nonce: 'n',
  briefing: '',
  wallClockMs: 60_000,
};

it('saves before it tells, on the report and on stop', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const transport = withWorktrees(
    workers((path, { attempt }) => {
      write(path, { 'work.txt': 'x' });
      return attempt === 1 ? done(order) : undefined;
    }),
    run,
  );
  const first = await transport.start(order, new AbortController().signal);
  expect(await first.report).toEqual(done(order));
  expect(await run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({ changed: 1 });
  const second = await transport.start({ ...order, attempt: 2 }, new AbortController().signal);
  await Promise.all([second.stop('x'), second.stop('y')]);
  expect(await run.saved({ taskId: 'a', attempt: 2 })).toMatchObject({ changed: 1 });
  // The worktree of a reply stays for its checks.
  expect(leftovers(run.root)).toEqual(['1']);
  await Promise.all([transport.release?.(order), transport.release?.(order)]);
  expect(leftovers(run.root)).toEqual([]);
});

it('a reply that a look before the stop showed keeps its worktree', async () => {
  const { run } = await start(clone());
  const inner = workers((path) => {
    write(path, { 'work.txt': 'x' });
    return undefined;
  });
  const transport = withWorktrees(
    {
      ...inner,
      start: async (placed, signal) => ({
        ...(await inner.start(placed, signal)),
        peek: async () => 'a reply',
      }),
    },
    run,
  );
  const handle = await transport.start(order, new AbortController().signal);
  expect(await handle.peek()).toBe('a reply');
  await handle.stop('timeout');
  await handle.report;
  expect(await run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({ changed: 1 });
  expect(leftovers(run.root)).toEqual(['1']);
  await transport.release?.(order);
  expect(leftovers(run.root)).toEqual([]);
});

it('what a check leaves in the worktree is not the work, and is kept beside it', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const transport = withWorktrees(
    workers((path) => {
      write(path, { 'work.txt': 'x' });
      return done(order);
    }),
    run,
  );
  const { report } = await transport.start(order, new AbortController().signal);
  await report;
  const { path = '' } = (await run.find({ taskId: 'a', attempt: 1 })) ?? {};
  write(path, { 'dropping.txt': 'x' });
  // A later host adopts the attempt before it releases it.
  const later = await start(dir, { root: run.root });
  const again = withWorktrees(
    workers(() => done(order)),
    later.run,
  );
  await (await again.adopt?.(order, new AbortController().signal))?.report;
  expect(await run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({ changed: 1 });
  await again.release?.(order);
  const ref = `refs/atelier/r1/${safeName('a')}/1`;
  expect(git(dir, 'ls-tree', '--name-only', ref)).toBe('f.txt\nwork.txt');
  expect(git(dir, 'ls-tree', '--name-only', `${ref}-after`)).toBe('dropping.txt\nf.txt\nwork.txt');
  expect(leftovers(run.root)).toEqual([]);
  expect(later.warnings).toEqual([]);
});

it('a release of what is unknown does nothing, and one that fails is a warning', async () => {
  const { run, warnings } = await start(clone());
  const told: unknown[] = [];
  const transport = withWorktrees(
    {
      ...workers(() => done(order)),
      release: async (attempt) => {
        told.push(attempt);
        throw new Error('busy');
      },
    },
    run,
  );
  await transport.release?.(order);
  expect(told).toEqual([order]);
  await (await transport.start(order, new AbortController().signal)).report;
  const { path = '', gitDir = '' } = (await run.find({ taskId: 'a', attempt: 1 })) ?? {};
  write(gitDir, { gitdir: '/elsewhere/.git\n' });
  await transport.release?.(order);
  expect(existsSync(path)).toBe(true);
  expect(warnings).toEqual(['busy', expect.stringContaining('not a worktree of this run'), 'busy']);
});

it.each([
  ['verify', true],
  ['review', true],
  ['wave-gate', true],
  ['exit', false],
] as const)(
  'the attempt after one that failed with %s goes on from its work: %s',
  async (cause, goesOn) => {
    const { run } = await start(clone());
    const seen: string[][] = [];
    const transport = withWorktrees(
      workers((path) => {
        seen.push(readdirSync(path).sort());
        write(path, { 'work.txt': 'x', 'out.ignored': 'x' });
        return done(order);
      }),
      run,
    );
    const { signal } = new AbortController();
    await (await transport.start(order, signal)).report;
    const previous = { kind: 'failed', cause, detail: '' } as const;
    await (await transport.start({ ...order, attempt: 2, previous }, signal)).report;
    expect(seen[1]?.includes('work.txt')).toBe(goesOn);
  },
);

it('what a task must produce is saved where git ignores it', async () => {
  const dir = clone(undefined, { 'f.txt': 'base\n', '.gitignore': 'out/\n' });
  const { run } = await start(dir);
  const transport = withWorktrees(
    workers((path) => {
      write(path, { 'out/r.txt': 'x', 'out/junk': 'x' });
      return done(order);
    }),
    run,
  );
  const task = { id: 'a', must_produce: ['out/r.txt'] };
  await (await transport.start({ ...order, task }, new AbortController().signal)).report;
  const set = await run.changeSet({ taskId: 'a', attempt: 1 });
  expect(set?.changes.map(({ path }) => path)).toEqual(['out/r.txt']);
});

/** A worker that can not be ended, until it is told to be gone. */
function unstoppable(work: (path: string) => void) {
  let die = (_report: AttemptReport) => {};
  const report = new Promise<AttemptReport>((resolve) => {
    die = resolve;
  });
  const transport: Transport = {
    ...workers(() => undefined),
    start: async ({ workspace = '' }) => {
      work(workspace);
      return {
        report,
        peek: async () => null,
        stop: () => Promise.reject(new Error('it lives')),
      };
    },
  };
  return { transport, die };
}

const UNSTOPPABLE: AttemptReport = { kind: 'failed', cause: 'unstoppable', detail: 'it lives' };

it.each([
  ['and its report never comes', false],
  ['and its report says so', true],
])(
  'a worker that can not be stopped keeps its folder, and what is there is saved: %s',
  async (_, told) => {
    const { run } = await start(clone());
    let path = '';
    const stuck = unstoppable((workspace) => {
      path = workspace;
      write(path, { 'work.txt': 'x' });
    });
    const transport = withWorktrees(stuck.transport, run);
    const handle = await transport.start(order, new AbortController().signal);
    await expect(handle.stop('timeout')).rejects.toThrow('it lives');
    if (told) {
      stuck.die(UNSTOPPABLE);
      expect(await handle.report).toEqual(UNSTOPPABLE);
    }
    await transport.release?.(order);
    expect(await run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({
      changed: 1,
      provisional: true,
    });
    expect(existsSync(join(path, 'work.txt'))).toBe(true);
  },
);

it.each(['adopts it', 'finds it gone', 'only releases it'])(
  'what was saved under a worker that lived on is saved anew by a later host, which %s',
  async (how) => {
    const dir = clone();
    const { run } = await start(dir);
    let path = '';
    const stuck = unstoppable((workspace) => {
      path = workspace;
      write(path, { 'half.txt': 'x' });
    });
    const handle = await withWorktrees(stuck.transport, run).start(
      order,
      new AbortController().signal,
    );
    await expect(handle.stop('timeout')).rejects.toThrow('it lives');
    write(path, { 'rest.txt': 'x' });
    const later = await start(dir, { root: run.root });
    const inner = workers(() => done(order));
    const transport = withWorktrees(
      how === 'adopts it' ? inner : { ...inner, adopt: async () => undefined },
      later.run,
    );
    if (how !== 'only releases it') {
      const adopted = await transport.adopt?.(order, new AbortController().signal);
      await adopted?.report;
      // Before its checks look at it.
      expect(await later.run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({ changed: 2 });
    }
    await transport.release?.(order);
    const saved = await later.run.saved({ taskId: 'a', attempt: 1 });
    expect(saved).toMatchObject({ changed: 2 });
    expect(saved).not.toHaveProperty('provisional');
    const ref = `refs/atelier/r1/${safeName('a')}/1`;
    expect(git(dir, 'ls-tree', '--name-only', ref)).toBe('f.txt\nhalf.txt\nrest.txt');
    expect(git(dir, 'for-each-ref', 'refs/atelier')).not.toContain('after');
    expect(existsSync(path)).toBe(false);
  },
);

it('a start or a search that was given up, or that can not tell, keeps the folder', async () => {
  const { run } = await start(clone());
  let path = '';
  let carry = (_why: Error) => {};
  const hangs: Transport = {
    ...workers(() => undefined),
    start: ({ workspace = '' }) => {
      path = workspace;
      write(path, { 'work.txt': 'x' });
      return new Promise((_, reject) => {
        carry = reject;
      });
    },
    adopt: () => Promise.reject(new Error('can not tell')),
  };
  const transport = withWorktrees(hangs, run);
  const starting = transport.start(order, new AbortController().signal);
  await until(() => path !== '');
  await transport.release?.(order);
  expect(existsSync(join(path, 'work.txt'))).toBe(true);
  carry(Object.assign(new Error('it lives'), { code: 'WORKER_UNSTOPPABLE' }));
  await expect(starting).rejects.toThrow('it lives');
  await transport.release?.(order);
  const searching = withWorktrees(hangs, run);
  await expect(searching.adopt?.(order, new AbortController().signal)).rejects.toThrow('can not');
  await searching.release?.(order);
  expect(existsSync(join(path, 'work.txt'))).toBe(true);
  expect(await run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({ provisional: true });
});

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

it.each(['ends', 'lives on'])(
  'a stop does not wait for ever for the saving, which goes on (the worker %s)',
  async (how) => {
    const { run, warnings } = await start(clone());
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let saving: Promise<unknown> = Promise.resolve();
    const slow: Run = {
      ...run,
      salvage: (worktree, message) => {
        const salvaged = gate.then(() => run.salvage(worktree, message));
        saving = salvaged;
        return salvaged;
      },
    };
    const inner = workers((path) => {
      write(path, { 'work.txt': 'x' });
      return undefined;
    });
    const stuck: Transport = {
      ...inner,
      start: async (placed, signal) => {
        const handle = await inner.start(placed, signal);
        return how === 'ends'
          ? handle
          : { ...handle, stop: () => Promise.reject(new Error('it lives')) };
      },
    };
    const handle = await withWorktrees(stuck, slow, { stopMs: 20 }).start(
      order,
      new AbortController().signal,
    );
    const stopped = handle.stop('timeout');
    if (how === 'ends') await stopped;
    else await expect(stopped).rejects.toThrow('it lives');
    expect(warnings.join()).toContain('goes on');
    expect(await run.saved({ taskId: 'a', attempt: 1 })).toBeUndefined();
    release();
    await saving;
    if (how === 'ends') await handle.report;
    expect(await run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({ changed: 1 });
  },
  15_000,
);

it('work that can not be saved is said, and stays where it is', async () => {
  const dir = clone();
  const { run, warnings } = await start(dir);
  let moved = '';
  const transport = withWorktrees(
    workers((path) => {
      moved = path;
      return undefined;
    }),
    run,
  );
  const handle = await transport.start(order, new AbortController().signal);
  commit(moved, { 'own.txt': '1' });
  const { renameSync } = await import('node:fs');
  renameSync(moved, `${moved}.moved`);
  await handle.stop('x');
  expect(await handle.report).toMatchObject({
    kind: 'failed',
    detail: expect.stringContaining('could not be saved'),
  });
  expect(warnings.join()).toContain('could not be saved');
  expect(existsSync(`${moved}.moved/own.txt`)).toBe(true);
  expect(await run.saved({ taskId: 'a', attempt: 1 })).toBeUndefined();
});

it('adopts a worker in the worktree it has, and saves what a lost one left', async () => {
  const dir = clone();
  const first = await start(dir);
  const worktree = await first.run.carve({ taskId: 'a', attempt: 1 });
  const lost = await first.run.carve({ taskId: 'b', attempt: 1 });
  write(worktree.path, { 'work.txt': 'x' });
  write(lost.path, { 'work.txt': 'x' });
  // Another host, later.
  const { run } = await start(dir, { root: first.run.root });
  const inner = workers(() => done(order));
  const adopted = await withWorktrees(inner, run).adopt?.(order, new AbortController().signal);
  expect(inner.orders[0]?.workspace).toBe(worktree.path);
  await adopted?.report;
  expect(await run.saved({ taskId: 'a', attempt: 1 })).toMatchObject({ changed: 1 });
  const none = { ...inner, adopt: async () => undefined };
  const request = { ...order, task: { id: 'b' } };
  expect(
    await withWorktrees(none, run).adopt?.(request, new AbortController().signal),
  ).toBeUndefined();
  expect(await run.saved({ taskId: 'b', attempt: 1 })).toMatchObject({ changed: 1 });
  expect(existsSync(lost.path)).toBe(false);
});

it('passes on what the inner handle can do, and no more', async () => {
  const { run } = await start(clone());
  const plain = withWorktrees(
    { ...workers(() => undefined), adopt: undefined } as unknown as Transport,
    run,
  );
  expect('adopt' in plain).toBe(false);
  const lively: Transport = {
    ...workers(() => undefined),
    start: async () => ({
      report: Promise.resolve(done(order)),
      peek: async () => 'seen',
      stop: async () => undefined,
      activity: () => 7,
      subscribe: (listener) => listener('hello'),
    }),
  };
  const handle = await withWorktrees(lively, run).start(order, new AbortController().signal);
  const heard: unknown[] = [];
  handle.subscribe?.((signal) => heard.push(signal));
  expect([await handle.peek(), handle.activity?.(), heard]).toEqual(['seen', 7, ['hello']]);
  await handle.report;
});
