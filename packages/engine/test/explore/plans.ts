import type { Policy } from '../../src/index.ts';
import { ALL_ENDINGS, DISTINCT_ENDINGS } from './endings.ts';
import { rows, type SmallPlan } from './small-plan.ts';

const EVERYTHING: SmallPlan['also'] = new Set([
  ...(['steps', 'parks', 'interrupts', 'deliveries', 'replays'] as const),
]);

/** What is delivered when changes nothing else, and doubles the states with every loss. */
const WITHOUT_DELIVERIES: SmallPlan['also'] = new Set([
  ...(['steps', 'parks', 'interrupts', 'replays'] as const),
]);

/** Who waits for whom, in every way that there is. */
const SHAPES = {
  'an edge, and a task beside it': rows({
    a: { parallel_group: 1 },
    b: { parallel_group: 1 },
    c: { parallel_group: 2, depends_on: ['a'] },
  }),
  'a chain of reads': rows({
    a: { parallel_group: 1, writes: ['x'] },
    b: { parallel_group: 2, reads: ['x'], writes: ['y'] },
    c: { parallel_group: 3, reads: ['y'] },
  }),
  'a review, and who needs it': rows({
    a: { parallel_group: 1 },
    r: { parallel_group: 1, reviews: 'a' },
    c: { parallel_group: 2, depends_on: ['r'] },
  }),
  'two reviewers': rows({
    a: { parallel_group: 1 },
    r: { parallel_group: 1, reviews: 'a' },
    s: { parallel_group: 2, reviews: 'a' },
    c: { parallel_group: 3, depends_on: ['a'] },
  }),
  'a reviewer that needs more than its author': rows({
    a: { parallel_group: 1, writes: ['x'] },
    b: { parallel_group: 2 },
    r: { parallel_group: 3, reviews: 'b', reads: ['x'] },
    c: { parallel_group: 3, depends_on: ['b'] },
  }),
  'a review beside other work': rows({
    a: { parallel_group: 1 },
    r: { parallel_group: 1, reviews: 'a' },
    b: { parallel_group: 1 },
    c: { parallel_group: 2, depends_on: ['r'] },
  }),
  'three waves, two edges': rows({
    a: { parallel_group: 1, writes: ['x'] },
    b: { parallel_group: 1 },
    c: { parallel_group: 2, depends_on: ['a'] },
    d: { parallel_group: 3, reads: ['x'], depends_on: ['b'] },
  }),
  'a wave of three': rows({
    a: { parallel_group: 1 },
    b: { parallel_group: 1 },
    c: { parallel_group: 1 },
    d: { parallel_group: 2, depends_on: ['b'] },
  }),
  'three waves, declared': rows({
    a: { parallel_group: 1, reads: [], writes: ['x'] },
    b: { parallel_group: 1, reads: [], writes: ['y'] },
    c: { parallel_group: 2, reads: ['x'], writes: ['z'] },
    d: { parallel_group: 3, reads: [], writes: ['y'] },
  }),
  'a review beside declared work': rows({
    a: { parallel_group: 1, reads: [], writes: ['x'] },
    r: { parallel_group: 1, reviews: 'a' },
    b: { parallel_group: 2, reads: [], writes: ['y'] },
    c: { parallel_group: 3, depends_on: ['r'], reads: [], writes: ['z'] },
  }),
  'rows with a past': rows({
    a: { parallel_group: 1, attempts: 1 },
    b: { parallel_group: 1, attempts: 2 },
    c: { parallel_group: 1, status: 'complete', writes: ['x'] },
    d: { parallel_group: 1, status: 'abandoned' },
    e: { parallel_group: 2, reads: ['x'], reviews: 'c' },
    f: { parallel_group: 2, depends_on: ['d'] },
    g: { parallel_group: 3, depends_on: ['a'] },
  }),
  'a reviewer with a past': rows({
    a: { parallel_group: 1 },
    r: { parallel_group: 1, reviews: 'a', attempts: 1 },
    b: { parallel_group: 2 },
    s: { parallel_group: 2, reviews: 'b', attempts: 2 },
  }),
} as const;

type Shape = keyof typeof SHAPES;

/** The smallest plans with an edge, and with work that is merged. */
export const EDGE: SmallPlan = planOf('an edge, and a task beside it', {
  ...{ maxWorkers: 2, onHeld: 'retry', endings: DISTINCT_ENDINGS, integrates: false },
  also: new Set(['interrupts'] as const),
});
export const MERGING: SmallPlan = planOf('a chain of reads', {
  ...{ maxWorkers: 1, onHeld: 'retry', endings: DISTINCT_ENDINGS, integrates: true },
  also: new Set(['interrupts'] as const),
});

export const PIPELINE: SmallPlan = planOf('a chain of reads', {
  ...{ maxWorkers: 2, onHeld: 'retry', endings: DISTINCT_ENDINGS, integrates: true },
  ...{ schedule: 'pipeline', also: new Set(['interrupts'] as const) },
});

const MERGED_ONE_BY_ONE = few('an edge, and a task beside it', {
  ...{ maxWorkers: 1, onHeld: 'retry', integrates: true },
});

const NO_BARRIERS = { schedule: 'pipeline', onHeld: 'retry', integrates: true } as const;

/** Small enough to be walked through with every other test. */
export const FEW: readonly SmallPlan[] = [
  few('an edge, and a task beside it', { maxWorkers: 2, onHeld: 'retry', integrates: false }),
  MERGED_ONE_BY_ONE,
  few('a chain of reads', { maxWorkers: 1, onHeld: 'close', integrates: false }, EVERYTHING),
  few('a review, and who needs it', { maxWorkers: 2, onHeld: 'retry', integrates: true }),
  few('two reviewers', { maxWorkers: 3, onHeld: 'close', integrates: false }),
  few('a reviewer with a past', { maxWorkers: 1, onHeld: 'retry', integrates: true }, EVERYTHING),
  few('a chain of reads', { ...NO_BARRIERS, maxWorkers: 2 }, new Set(['interrupts'])),
  few('an edge, and a task beside it', { ...NO_BARRIERS, maxWorkers: 2 }, new Set(['interrupts'])),
  few('a review, and who needs it', { ...NO_BARRIERS, maxWorkers: 2 }, new Set(['interrupts'])),
];

/** As many at once as a wave of the shape can use. */
const WIDEST: ReadonlyMap<Shape, number> = new Map([
  ['an edge, and a task beside it', 2],
  ['a chain of reads', 1],
  ['a review, and who needs it', 1],
  ['two reviewers', 1],
  ['a reviewer that needs more than its author', 1],
  ['a review beside other work', 2],
  ['three waves, two edges', 2],
  ['rows with a past', 1],
  ['a reviewer with a past', 1],
]);

const EVERY_POLICY: readonly SmallPlan[] = [...WIDEST].flatMap(([shape, widest]) =>
  Array.from({ length: widest }, (_, at) => at + 1).flatMap((maxWorkers) =>
    (['retry', 'close'] as const).flatMap((onHeld) =>
      [true, false].map((integrates) => {
        const endings = ALL_ENDINGS;
        return planOf(shape, { maxWorkers, onHeld, integrates, endings, also: EVERYTHING });
      }),
    ),
  ),
);

/**
 * The shapes under every policy, with every ending; what is too large for that, more narrowly; and a few whose states
 * do not forget how they came about.
 */
export const ALL: readonly SmallPlan[] = [
  ...EVERY_POLICY,
  few('a wave of three', { maxWorkers: 3, onHeld: 'retry', integrates: true }),
  few('a wave of three', { maxWorkers: 2, onHeld: 'close', integrates: false }),
  ...(['three waves, declared', 'a review beside declared work', 'two reviewers'] as const).flatMap(
    (shape) => [
      few(shape, { ...NO_BARRIERS, maxWorkers: 2 }),
      few(shape, { ...NO_BARRIERS, maxWorkers: 3, onHeld: 'close', integrates: false }, EVERYTHING),
    ],
  ),
  ...FEW.filter((plan) => plan !== MERGED_ONE_BY_ONE).map((plan) => ({
    ...plan,
    name: `${plan.name}, with histories`,
    tellsHistories: true as const,
  })),
];

type Caps = Pick<Policy, 'maxWorkers' | 'onHeld' | 'schedule'> & Pick<SmallPlan, 'integrates'>;

function few(shape: Shape, caps: Caps, also = WITHOUT_DELIVERIES): SmallPlan {
  return planOf(shape, { ...caps, also, endings: DISTINCT_ENDINGS });
}

function planOf(
  shape: Shape,
  {
    maxWorkers,
    onHeld,
    schedule = 'parallel',
    ...rest
  }: Caps & Pick<SmallPlan, 'endings' | 'also'>,
): SmallPlan {
  return {
    name: `${shape}: ${maxWorkers} wide, ${onHeld}${rest.integrates ? ', merging' : ''}${schedule === 'pipeline' ? ', no barriers' : ''}`,
    tasks: SHAPES[shape],
    policy: { maxWorkers, onHeld, schedule },
    ...rest,
  };
}
