/** A list of turns under a name; every request of a session uses one, and the last one repeats. */
interface Turns<T> {
  readonly marker: string;
  readonly turns: readonly [T, ...T[]];
}

/** Gives the turn that is next for a route in a session. */
export function turnCounter(): <T>(route: Turns<T>, session: string) => T {
  const used = new Map<string, number>();
  return ({ marker, turns }, session) => {
    const key = JSON.stringify([marker, session]);
    const at = used.get(key) ?? 0;
    used.set(key, at + 1);
    return turns[at] ?? turns.at(-1) ?? turns[0];
  };
}
