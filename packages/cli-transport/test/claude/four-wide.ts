let free = 4;
const waiting: (() => void)[] = [];

/** Runs at most four at once: a run of the real program takes a core for a second, and 200 MB. */
export async function fourWide<T>(act: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await act();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}
