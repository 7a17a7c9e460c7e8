/** Answers that never change, the last of them kept. A question that fails is asked anew. */
export interface Recent<T> {
  of(key: string, find: () => Promise<T>): Promise<T>;
  /** Forgets one answer. */
  forget(key: string): void;
}

export function recent<T>(most: number): Recent<T> {
  const known = new Map<string, Promise<T>>();
  return {
    of(key, find) {
      const found = known.get(key) ?? find();
      // The last that was asked for is the last to be forgotten.
      known.delete(key);
      known.set(key, found);
      found.catch(() => known.get(key) === found && known.delete(key));
      for (const oldest of known.keys()) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
      return found;
    },
    forget: (key) => void known.delete(key),
  };
}
