import { createHash } from 'node:crypto';
import type { Clock } from '@atelier/engine';

/** Less than a request may take to arrive, for what is not read yet of one that waits. */
const WAIT_MS = 45_000;

/** Workers of an earlier host, which may be calling before this one has taken them over. */
export interface Awaited {
  /** Resolves when the worker of a token has been let in, or has waited long enough; undefined for one that nobody awaits. */
  comes(token: string | undefined): Promise<void> | undefined;
  /** From now on the token is like any other. */
  arrived(token: string): void;
  /** Ends every wait. */
  end(): void;
}

export function awaited(tokens: readonly string[], clock: Clock): Awaited {
  // By digest: how long it takes to find one tells nothing of it.
  const waits = new Map(tokens.map((token) => [digestOf(token), new AbortController()]));
  return {
    comes(token) {
      const arrival = token === undefined ? undefined : waits.get(digestOf(token));
      return arrival && clock.sleep(WAIT_MS, arrival.signal);
    },
    arrived(token) {
      waits.get(digestOf(token))?.abort();
      waits.delete(digestOf(token));
    },
    end() {
      for (const arrival of waits.values()) arrival.abort();
      waits.clear();
    },
  };
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
