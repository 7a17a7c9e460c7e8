const midRuns = new WeakSet<object>();

/** Marks what a run that had begun has thrown, which is no refusal: something of it is on record. Hands it back. */
export function midRun(error: unknown): unknown {
  if (isObject(error)) midRuns.add(error);
  return error;
}

/** Whether the error was marked by {@link midRun}. */
export const isMidRun = (error: unknown): boolean => isObject(error) && midRuns.has(error);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
