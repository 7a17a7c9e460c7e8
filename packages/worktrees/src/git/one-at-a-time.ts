/** Runs the steps it is given one after the other, in the order they came. A step that fails holds up nobody. */
export type OneAtATime = <T>(step: () => Promise<T>) => Promise<T>;

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const mine = last.then(step, step);
    last = mine.catch(() => undefined);
    return mine;
  };
}
