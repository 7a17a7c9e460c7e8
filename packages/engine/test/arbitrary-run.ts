import fc from 'fast-check';
import {
  type Acceptance,
  type AttemptHandle,
  type Escalation,
  type Journal,
  manualClock,
  memoryJournal,
  type Policy,
  type RunEvent,
  type RunOptions,
  type RunReport,
  run,
  scriptedTransport,
  type Task,
  type Transport,
} from '../src/index.ts';
import { replyFor } from './scenario.ts';

/** A random run: a plan, what its workers do, and what the checks make of it. */
export interface ArbitraryRun {
  readonly tasks: readonly Task[];
  readonly policy: Partial<Policy>;
  /** What attempts do, by a number drawn per task and attempt. */
  readonly kinds: readonly string[];
  readonly acceptance: 'all' | 'merging' | 'picky';
}

const KINDS = [
  'done',
  'done',
  'done',
  'blocked',
  'needs-input',
  'abandoned:scope',
  'wrong-task',
  'wrong-attempt',
  'hollow',
  'silent',
  'late',
  'read-error-at-deadline',
  'crash',
  'no-start',
] as const;

const PATHS = Array.from({ length: 9 }, (_, index) => `f${index}`);

const task = (index: number): fc.Arbitrary<Task> =>
  fc.record({
    id: fc.constant(index % 3 === 0 ? index : `t${index}`),
    parallel_group: fc.integer({ min: 1, max: 4 }),
    created_at: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01', null),
    assigned_persona: fc.constantFrom('ada', null),
    status: fc.constantFrom('pending', 'pending', 'pending', 'pending', 'complete', 'abandoned'),
    attempts: fc.constantFrom(0, 0, 0, 1, 2, 5),
    depends_on: fc.constant<number[]>([]),
    reads: fc.option(fc.subarray(PATHS, { maxLength: 2 }), { nil: null }),
    writes: fc.constantFrom(null, [], [`f${index}`], [`f${index}`, 'g']),
  });

const plan = fc
  .integer({ min: 1, max: 9 })
  .chain((size) =>
    fc.tuple(
      fc.tuple(...Array.from({ length: size }, (_, index) => task(index))),
      fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 4 }),
    ),
  )
  .map(([tasks, pairs, reviews]) =>
    withReviews(
      withoutContention(tasks).map((one) => ({
        ...one,
        depends_on: pairs
          .map(([from, to]) => [tasks[from], tasks[to]] as const)
          .filter(([from, to]) => to === one && earlier(from, one))
          .flatMap(([from]) => from?.id ?? []),
      })),
      reviews,
    ),
  );

/** Of one group, only the first may write what another writes. */
function withoutContention<T extends Task>(tasks: readonly T[]): T[] {
  const taken = new Set<number>();
  return tasks.map((one) => {
    const group = Number(one.parallel_group);
    if (!one.writes?.includes('g') || !taken.has(group)) {
      if (one.writes?.includes('g')) taken.add(group);
      return one;
    }
    return { ...one, writes: one.writes.slice(0, 1) };
  });
}

/** Makes some tasks reviewers: of another live task that is none, in the same group or an earlier one. */
function withReviews(
  tasks: readonly Task[],
  pairs: readonly (readonly [author: number, reviewer: number])[],
): Task[] {
  const roles = new Map<number, 'author' | 'reviewer'>();
  const all = [...tasks];
  for (const [at, by] of pairs) {
    const [author, reviewer] = [all[at], all[by]];
    if (!author || !reviewer || at === by || roles.get(at) === 'reviewer' || roles.has(by))
      continue;
    if (Number(author.parallel_group) > Number(reviewer.parallel_group)) continue;
    roles.set(at, 'author');
    roles.set(by, 'reviewer');
    all[at] = { ...author, assigned_persona: 'ada' };
    all[by] = { ...reviewer, assigned_persona: 'eve', reviews: author.id, depends_on: [] };
    for (const key of ['reads', 'writes'] as const) delete all[by][key];
  }
  return all;
}

/** Live reviewers with their live authors, by id. */
export const pairsOf = (tasks: readonly Task[]): Map<string, string> => {
  const live = new Map(
    tasks
      .filter(({ status }) => status === 'pending')
      .map((task) => [String(task.id), task] as const),
  );
  return new Map(
    [...live].flatMap(([id, { reviews }]) =>
      live.has(String(reviews)) ? [[id, String(reviews)] as const] : [],
    ),
  );
};

const earlier = (a: Task | undefined, b: Task): boolean =>
  Number(a?.parallel_group) < Number(b.parallel_group);

export const arbitraryRun: fc.Arbitrary<ArbitraryRun> = fc.record({
  tasks: plan,
  policy: fc.record({
    maxWorkers: fc.integer({ min: 1, max: 5 }),
    maxAttempts: fc.integer({ min: 1, max: 5 }),
    onHeld: fc.constantFrom('retry', 'close'),
    schedule: fc.constantFrom('parallel', 'pipeline'),
  }),
  kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 8, maxLength: 24 }),
  acceptance: fc.constantFrom('all', 'merging', 'picky'),
});

/** What an arbitrary run led to, and what was seen while it went on. */
export interface ObservedRun {
  readonly report: RunReport;
  readonly events: readonly RunEvent[];
  readonly delivered: readonly Escalation[];
  /** The most workers that were alive at once, in all and of one task. */
  readonly mostAlive: number;
  readonly mostAliveOfOneTask: number;
}

export async function observeRun(
  given: ArbitraryRun,
  { journal = memoryJournal(), ...overrides }: Partial<RunOptions> = {},
): Promise<ObservedRun> {
  const clock = manualClock();
  const delivered: Escalation[] = [];
  const events: RunEvent[] = [];
  const alive = new Map<string, number>();
  const most = { all: 0, one: 0 };
  const scripted = scriptedTransport(
    ({ task: { id }, attempt }) => {
      const position = given.tasks.findIndex((one) => one.id === id);
      const kind = given.kinds[(position * 5 + attempt) % given.kinds.length] ?? 'done';
      if (kind === 'no-start') throw new Error('no such program');
      if (kind === 'silent') return {};
      if (kind === 'read-error-at-deadline')
        return {
          peek: () => {
            throw new Error('unreadable');
          },
        };
      const reply = replyFor(kind, id, attempt);
      if (kind === 'late') return { peek: reply };
      const afterMs = ((position * 7 + attempt * 3) % 11) * 1000;
      if (kind === 'crash')
        return { report: { kind: 'failed', cause: 'exit', detail: 'exit 1', reply }, afterMs };
      return { report: { kind: 'replied', reply }, afterMs };
    },
    { clock },
  );
  const transport: Transport = {
    ...scripted,
    async start(order, signal): Promise<AttemptHandle> {
      const handle = await scripted.start(order, signal);
      const key = String(order.task.id);
      alive.set(key, (alive.get(key) ?? 0) + 1);
      most.all = Math.max(
        most.all,
        [...alive.values()].reduce((a, b) => a + b, 0),
      );
      most.one = Math.max(most.one, alive.get(key) ?? 0);
      const report = handle.report.finally(() => alive.set(key, (alive.get(key) ?? 0) - 1));
      return { ...handle, report };
    },
  };
  const report = await clock.runUntil(
    run(given.tasks, {
      runId: 'r',
      transport,
      journal,
      clock,
      policy: given.policy,
      acceptance: acceptanceOf(given),
      sink: (escalation) => delivered.push(escalation),
      onEvent: (event) => events.push(event),
      ...overrides,
    }),
  );
  return { report, events, delivered, mostAlive: most.all, mostAliveOfOneTask: most.one };
}

function acceptanceOf({ acceptance }: ArbitraryRun): Acceptance {
  if (acceptance === 'all') return { accept: () => ({ kind: 'accepted' }) };
  const picky = acceptance === 'picky';
  return {
    accept: ({ attempt }) =>
      picky && attempt % 3 === 1
        ? { kind: 'refused', cause: 'false-done', detail: 'nothing changed' }
        : { kind: 'accepted', evidence: { commit: `c${attempt}` } },
    integrate: (_wave, accepted) =>
      accepted.map(({ task: { id }, attempt }, index) =>
        picky && (attempt + index) % 4 === 2
          ? { kind: 'refused', taskId: id, cause: 'conflict', detail: 'same line' }
          : { kind: 'merged', taskId: id },
      ),
  };
}

/** A journal that hands out a history and records what is added to it. */
export function journalFrom(
  history: readonly RunEvent[],
): Journal & { events: readonly RunEvent[] } {
  const journal = memoryJournal();
  journal.append(history);
  return journal;
}
