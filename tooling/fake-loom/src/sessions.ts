import { randomUUID } from 'node:crypto';

/** The sessions that live, each with the instant it was last seen. */
export interface Sessions {
  /** A new one; undefined when there are too many. */
  open(): string | undefined;
  /** Whether it lives; it is then seen now. */
  see(id: string | undefined): boolean;
  end(id: string): void;
  /** Ends those that were not seen for too long. */
  reap(): void;
  clear(): void;
  count(): number;
}

export function sessionTable(options: {
  most: number;
  idleMs: number;
  now: () => number;
  /** Told of each that ends. */
  onEnd: (id: string) => void;
}): Sessions {
  const { most, idleMs, now, onEnd } = options;
  const seen = new Map<string, number>();
  const end = (id: string) => {
    if (seen.delete(id)) onEnd(id);
  };
  return {
    open() {
      if (seen.size >= most) return undefined;
      const id = randomUUID();
      seen.set(id, now());
      return id;
    },
    see(id) {
      if (id === undefined || !seen.has(id)) return false;
      seen.set(id, now());
      return true;
    },
    end,
    reap() {
      for (const [id, at] of [...seen]) if (now() - at > idleMs) end(id);
    },
    clear() {
      for (const id of [...seen.keys()]) end(id);
    },
    count: () => seen.size,
  };
}
