import { boundariesOf } from './boundaries.ts';
import { type KillPoint, nameOf } from './kill-point.ts';
import { randomOf } from './random.ts';
import type { Trial } from './trial.ts';
import type { Survey } from './uninterrupted.ts';

/** How many kills a run can take without a task using up its attempts by them alone. */
const KILLS_OF_A_RUN = 5;

/**
 * Few runs with many kills each: the first of every kind of boundary, then random instants until there are `kills`.
 * The kills of a run are in the order in which it comes by them.
 */
export function chainsOf(
  { passed }: Pick<Survey, 'passed'>,
  { seed, kills }: { seed: number; kills: number },
): Trial[] {
  const boundaries = firsts(boundariesOf(passed)).slice(0, kills);
  const random = randomOf(`${seed} chains`);
  const instants = Array.from(
    { length: kills - boundaries.length },
    (): KillPoint => ({ kind: 'instant', fraction: 0.05 + random() / 4 }),
  );
  return [boundaries, instants]
    .flatMap((points) => dealt(points, Math.ceil(points.length / KILLS_OF_A_RUN)))
    .map((points, at) => ({ name: `${seed}: chain ${at}`, points }));
}

/** Every hand has its share of the early ones and of the late ones. */
const dealt = (points: readonly KillPoint[], hands: number): KillPoint[][] =>
  Array.from({ length: hands }, (_, hand) => points.filter((_one, at) => at % hands === hand));

/** The first of each kind, whichever its number. */
function firsts(points: readonly KillPoint[]): KillPoint[] {
  const kinds = points.map(kindOf);
  return points.filter((point, at) => kinds.indexOf(kindOf(point)) === at);
}

const kindOf = (point: KillPoint): string => nameOf('nth' in point ? { ...point, nth: 0 } : point);
