/** Calls something whose failure must not matter: gives its value, or undefined when it throws or is a promise. */
export function swallow<T>(call: () => T): T | undefined {
  try {
    const value = call();
    if (!(value instanceof Promise)) return value;
    // Unhandled, its rejection would end the process.
    value.catch(() => undefined);
  } catch {
    // By contract.
  }
  return undefined;
}
