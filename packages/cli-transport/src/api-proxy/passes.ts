import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { OpenPass } from './pass.ts';

/** Who is let in, by token. */
export interface Passes {
  /** A later pass of the same token takes the place of an earlier one. */
  add(token: string, pass: OpenPass): void;
  remove(token: string, pass: OpenPass): void;
  /** The pass of whoever shows exactly one token, in whichever of the two headers, or the same in both. */
  shownBy(headers: IncomingHttpHeaders): OpenPass | undefined;
  all(): readonly OpenPass[];
}

export function passes(): Passes {
  const known = new Map<string, { readonly digest: Buffer; readonly pass: OpenPass }>();
  /** Looks at every pass, however early one fits, and compares digests: the time it takes tells nothing of a token. */
  const find = (token: string): OpenPass | undefined => {
    const shown = digestOf(token);
    let found: OpenPass | undefined;
    for (const { digest, pass } of known.values()) if (timingSafeEqual(digest, shown)) found = pass;
    return found;
  };
  return {
    add: (token, pass) => void known.set(token, { digest: digestOf(token), pass }),
    remove(token, pass) {
      if (known.get(token)?.pass === pass) known.delete(token);
    },
    shownBy(headers) {
      const token = tokenIn(headers);
      return token === undefined ? undefined : find(token);
    },
    all: () => [...known.values()].map(({ pass }) => pass),
  };
}

/** The one token that is shown. */
export function tokenIn(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  const bearer = headers.authorization?.replace(/^bearer +/iu, '');
  const [token, ...others] = [key, bearer].filter((one) => one !== undefined);
  return typeof token === 'string' && others.every((other) => other === token) ? token : undefined;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
