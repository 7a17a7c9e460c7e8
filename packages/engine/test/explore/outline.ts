import type { Policy, Task } from '../../src/index.ts';

import { precedes } from './precedes.ts';

const CLOSED: ReadonlySet<unknown> = new Set(['complete', 'abandoned', 'held']);

/** What the rules of a run say of a plan, worked out without the engine. Everything by id. */
export interface Outline {
  readonly live: readonly string[];
  /** The waves in their order. */
  readonly waves: readonly (readonly string[])[];
  /** Without barriers: whose end each of them waits for. */
  readonly waitsFor: ReadonlyMap<string, readonly string[]>;
  readonly waveOf: ReadonlyMap<string, number>;
  readonly authorOf: ReadonlyMap<string, string>;
  readonly reviewersOf: ReadonlyMap<string, readonly string[]>;
  /** Who can not be done without a task, directly. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** Rows that have ended before the run, with how. */
  readonly ended: ReadonlyMap<string, string>;
  readonly attempts: ReadonlyMap<string, number>;
}

export function outlineOf(
  tasks: readonly Task[],
  { schedule }: Pick<Policy, 'schedule'> = {},
): Outline {
  const ended = new Map(
    tasks
      .filter(({ status }) => CLOSED.has(status))
      .map(({ id, status }) => [`${id}`, `${status}`]),
  );
  const open = tasks.filter(({ id }) => !ended.has(`${id}`));
  const authorOf = new Map(
    open
      .filter(({ reviews }) => open.some(({ id }) => id === reviews))
      .map(({ id, reviews }) => [`${id}`, `${reviews}`]),
  );
  const own = new Map(tasks.map(({ id, parallel_group }) => [`${id}`, Number(parallel_group)]));
  const groupOf = (id: string) => own.get(authorOf.get(id) ?? id) ?? 0;
  const live = open.map(({ id }) => `${id}`);
  const groups = [...new Set(live.map(groupOf))].sort((a, b) => a - b);
  const byGroup = groups.map((group) => live.filter((id) => groupOf(id) === group));
  const waves = schedule === 'pipeline' ? [byGroup.flat()] : byGroup;
  const upstreams = (task: Task): string[] => [
    ...(task.depends_on ?? []).map(String),
    ...(task.reviews === undefined || task.reviews === null ? [] : [`${task.reviews}`]),
    ...tasks
      .filter(({ id }) => groupOf(`${id}`) < groupOf(`${task.id}`))
      .filter(({ writes }) => writes?.some((path) => task.reads?.includes(path)))
      .map(({ id }) => `${id}`),
  ];
  const pairs = tasks.flatMap((task) => upstreams(task).map((up) => [up, `${task.id}`] as const));
  const grouped = (of: readonly (readonly [string, string])[]) =>
    new Map(
      [...new Set(of.map(([key]) => key))].map((key) => [
        key,
        of.filter(([one]) => one === key).map(([, value]) => value),
      ]),
    );
  return {
    live,
    waves,
    waitsFor: new Map(
      live.map((id) => [
        id,
        live.filter((other) => precedes(other, id, { tasks, pairs, groupOf, authorOf })),
      ]),
    ),
    waveOf: new Map(waves.flatMap((wave, index) => wave.map((id) => [id, index] as const))),
    authorOf,
    reviewersOf: grouped([...authorOf].map(([reviewer, author]) => [author, reviewer])),
    // A reviewer that is lost takes its author along: nobody else can approve the work.
    dependents: grouped(
      pairs.flatMap(([up, down]) => {
        const author = authorOf.get(down);
        return author === undefined || author === up
          ? [[up, down]]
          : [
              [up, down],
              [up, author],
            ];
      }),
    ),
    ended,
    attempts: new Map(tasks.map(({ id, attempts }) => [`${id}`, attempts ?? 0])),
  };
}
