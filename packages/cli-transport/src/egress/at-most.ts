/** The same, run no more than so many times at once; the others wait in the order in which they came. */
export function atMost<Given, Found>(
  most: number,
  run: (given: Given) => Promise<Found>,
): (given: Given) => Promise<Found> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (given) => {
    if (running < most) running += 1;
    // Whoever ends hands its place on.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run(given);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
