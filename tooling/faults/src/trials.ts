import { boundariesOf } from './boundaries.ts';
import { type KillPoint, nameOf } from './kill-point.ts';
import { randomOf } from './random.ts';
import type { Trial } from './trial.ts';
import type { Survey } from './uninterrupted.ts';

/** A run may be killed again after it was resumed, but not so often that a task could use up its attempts by that. */
const MOST_KILLS = 3;
const AGAIN = 0.35;

interface Drawn {
  readonly seed: number;
  /** How many trials begin with a kill at a random instant. */
  readonly instants: number;
  /** How many begin with a kill around a random one of the host's git commands. */
  readonly gitKills: number;
}

/**
 * A trial for every boundary, one for each of some git commands, and one for each random instant; in many of them the
 * resumed host is killed again. They follow from the seed and from what the survey came by.
 */
export function trialsOf(
  { passed }: Pick<Survey, 'passed'>,
  { seed, instants, gitKills }: Drawn,
): Trial[] {
  const all = boundariesOf(passed);
  const isGit = (point: KillPoint) => point.kind === 'spawn' && point.of === 'git';
  const boundaries = all.filter((point) => !isGit(point));
  const around = all.filter(isGit);
  const draw = (kind: string, count: number, pointAt: (random: () => number) => KillPoint[]) =>
    Array.from({ length: count }, (_, at) => `${kind} ${at}`).map((name) => ({
      name: `${seed}: ${name}`,
      points: pointAt(randomOf(`${seed} ${name}`)),
    }));
  const firsts: Trial[] = [
    ...boundaries.map((point) => ({ name: `${seed}: ${nameOf(point)}`, points: [point] })),
    ...draw('git', gitKills, (random) => around.slice(Math.floor(random() * around.length))),
    ...draw('instant', instants, (random) => [{ kind: 'instant', fraction: random() }]),
  ];
  return firsts.map(({ name, points }) => ({
    name,
    points: [...points.slice(0, 1), ...more(randomOf(name), boundaries)],
  }));
}

function more(random: () => number, boundaries: readonly KillPoint[]): KillPoint[] {
  const points: KillPoint[] = [];
  while (points.length < MOST_KILLS - 1 && random() < AGAIN) {
    const boundary = boundaries[Math.floor(random() * boundaries.length)];
    const fraction = random();
    points.push(random() < 0.3 && boundary ? boundary : { kind: 'instant', fraction });
  }
  return points;
}
