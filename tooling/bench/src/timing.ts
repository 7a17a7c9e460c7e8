/** The fastest of several runs in milliseconds: the least disturbed one. */
export async function fastest(times: number, work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i += 1) best = Math.min(best, await timed(work));
  return best;
}

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The value below which a share of them are; NaN of none. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? Number.NaN;

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Milliseconds of each contender, round by round. They take turns in an order that turns as well, so that what else
 * the machine does meets all of them; where there is more than one, a round before the first fills caches.
 */
export async function takeTurns<K extends string>(
  rounds: number,
  contenders: Readonly<Record<K, (round: number) => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(contenders) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    K,
    number[]
  >;
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1)
    for (const [at] of names.entries()) {
      const name = names[(at + round) % names.length];
      if (name === undefined) continue;
      const ms = await contenders[name](round);
      if (round > 0) times[name].push(ms);
    }
  return times;
}

/** The median of the ratios of one round each: what slows a round down is in both. */
export const ratioOf = (upper: readonly number[], lower: readonly number[]): number =>
  median(upper.map((ms, round) => ms / (lower[round] ?? Number.NaN)));

/** One turn of a contender, and the floor just before and just after it, on average. */
export interface Turn {
  readonly ms: number;
  readonly floorMs: number;
}

/**
 * Contenders in turns, the floor between all of them: over minutes a machine gets busier or idler, and a floor that was
 * measured once would make a contender look better or worse than it is.
 */
export async function amidFloors(
  rounds: number,
  floor: () => Promise<number>,
  contenders: ReadonlyMap<string, () => Promise<number>>,
): Promise<ReadonlyMap<string, readonly Turn[]>> {
  const turns = new Map<string, Turn[]>([...contenders.keys()].map((name) => [name, []]));
  let before = await floor();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, contender] of contenders) {
      const ms = await contender();
      const after = await floor();
      turns.get(name)?.push({ ms, floorMs: (before + after) / 2 });
      before = after;
    }
  return turns;
}
