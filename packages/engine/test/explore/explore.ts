import { hash } from 'node:crypto';
import { checkPolicy } from '../../src/core/policy.ts';
import { emptyState } from '../../src/core/state.ts';
import { preflight } from '../../src/index.ts';
import { type Decider, OURS } from './decider.ts';
import { factBook } from './fact-book.ts';
import { copyOf, frozen } from './frozen.ts';
import { graph, type Way } from './graph.ts';
import { identityOf } from './identity.ts';
import { movesOf } from './moves.ts';
import { outlineOf } from './outline.ts';
import type { SmallPlan } from './small-plan.ts';
import { stateFaults, stepFaults } from './state-faults.ts';
import { type Point, type Surroundings, stepFrom, takeIn } from './taken-step.ts';
import { endless } from './termination.ts';
import { textOf } from './text.ts';
import { witnessOf } from './witness.ts';

/** What a walk has come across. */
export interface Findings {
  readonly states: number;
  readonly transitions: number;
  /** Stale inputs that were tried. */
  readonly stale: number;
  /** How many states have each verdict. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** The first thing that was wrong, with the shortest way to it; none when all is well. */
  readonly fault?: { readonly what: string; readonly path: readonly string[] };
}

/** Walks through every state that a plan can get into, nearest first, and stops at the first fault. */
export function explore(given: SmallPlan, decider: Decider = OURS): Findings {
  preflight(given.tasks);
  const plan = { ...given, policy: frozen(checkPolicy({ maxAttempts: 2, ...given.policy })) };
  const around = { plan, outline: outlineOf(plan.tasks, plan.policy), book: factBook(), decider };
  const points = graph();
  /** By point, until it is visited: the fold that was made in place. */
  const folds: string[] = [];
  const ends = { verdict: new Set<number>(), final: new Set<number>() };
  const verdicts: Record<string, number> = {};
  let stale = 0;

  const arrive = ({ state, witness }: Point, way: Way) => {
    const { point, isNew } = points.reach(brief(identityOf(state, witness, plan)), way);
    if (!isNew) return;
    folds[point] = brief(textOf(state));
    const { verdict } = state;
    if (verdict === undefined) return;
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    ends.verdict.add(point);
    if (verdict === 'complete' || verdict === 'abandoned') ends.final.add(point);
  };
  const report = (what?: string, point = 0, label: readonly string[] = []): Findings => ({
    ...{ states: points.size, transitions: points.transitions, stale, verdicts },
    ...(what ? { fault: { what, path: [...points.pathTo(point), ...label] } } : {}),
  });

  const start = startOf(around);
  arrive(start, { from: -1, move: { label: 'start' }, facts: [] });
  for (let point = 0; point < points.size; point += 1) {
    const here = copyOf(start);
    for (const fact of points.factsTo(point)) takeIn(here, around.book.stored(fact), around);
    if (brief(textOf(here.state)) !== folds[point])
      return report('its events do not fold to the state that they were folded into', point);
    folds[point] = '';
    const [wrong] = stateFaults(here, around);
    if (wrong) return report(wrong, point);
    for (const move of movesOf(here.state, plan, decider)) {
      try {
        const step = stepFrom(here, move, around);
        if (move.stale) stale += 1;
        if (!step) continue;
        const [broken] = [...step.broken, ...stepFaults(here, move, { step, around })];
        if (broken) return report(broken, point, [move.label]);
        arrive(step, { from: point, move, facts: step.facts });
      } catch (error) {
        return report(`it threw: ${String(error)}`, point, [move.label]);
      }
    }
  }
  for (const { point, what } of endless(points, ends)) return report(what, point);
  return report();
}

const brief = (text: string): string => hash('md5', text, 'base64');

/** The first point of all. What no event changes in place is frozen, so that copies may share it. */
function startOf({ plan, outline, decider }: Surroundings): Point {
  const point = { state: emptyState(plan.policy), witness: witnessOf(outline) };
  const { policy, tasks } = plan;
  for (const fact of decider.decide(point.state, { kind: 'start', tasks, policy }))
    takeIn(point, frozen(structuredClone(fact)), { decider, outline });
  frozen(point.state.waves);
  for (const { task, upstreams } of point.state.tasks.values()) {
    frozen(task);
    frozen(upstreams);
  }
  return point;
}
