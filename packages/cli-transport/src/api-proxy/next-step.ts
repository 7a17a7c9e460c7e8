/** How one try of a request ended, before anything of it was passed on. */
export interface Tried {
  /** Undefined when the API did not answer. */
  readonly status: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The API itself says that trying again is of no use. */
  readonly isFinal?: boolean;
}

export interface RetryPlace {
  /** Tries that were answered by waiting, before this one. */
  readonly retries: number;
  /** The credential was renewed for this request. */
  readonly isRenewed: boolean;
  /** Of the attempt's wall clock. */
  readonly leftMs: number;
  /** For how long the program has been waiting. */
  readonly heldMs: number;
  /** From 0 to 1, the latter excluded. */
  readonly random: () => number;
}

export type Step =
  /** `isFinal`: the program is told not to try again. */
  | { readonly kind: 'pass-on'; readonly isFinal: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'renew'; readonly pauseMs: number }
  /** The account has no more to give for so long. */
  | { readonly kind: 'limit'; readonly resumeAfterMs: number; readonly isFinal: boolean }
  /** The credential is refused for good. */
  | { readonly kind: 'refused' };

const RETRIES = 3;
const FIRST_BACKOFF_MS = 500;
const PAUSE_MS = 1_000;
const SPREAD_MS = 500;

/** A program gives up on a silent request after six minutes; longer waits are left to it. */
export const HOLD_MS = 300_000;

/**
 * What is done about one try: overload and lost connections are waited for, at most three times and never past the
 * attempt's deadline; a refused credential is renewed once; a wait that passes the deadline is a usage limit.
 */
export function nextStep(tried: Tried, place: RetryPlace): Step {
  const { status } = tried;
  if (status === 401) {
    if (place.isRenewed || place.leftMs <= 2 * PAUSE_MS) return { kind: 'refused' };
    return { kind: 'renew', pauseMs: PAUSE_MS / 2 + place.random() * PAUSE_MS };
  }
  if (status === 429) return limited(tried, place);
  if (status === undefined || status >= 500) return waited(tried, place);
  return { kind: 'pass-on', isFinal: false };
}

function limited(tried: Tried, place: RetryPlace): Step {
  const { retryAfterMs } = tried;
  if (retryAfterMs === undefined) return waited(tried, place);
  if (retryAfterMs >= place.leftMs)
    return { kind: 'limit', resumeAfterMs: retryAfterMs, isFinal: true };
  // A program that waits for so long by itself may still make it.
  if (retryAfterMs + place.heldMs > HOLD_MS)
    return { kind: 'limit', resumeAfterMs: retryAfterMs, isFinal: tried.isFinal === true };
  return waited(tried, place);
}

function waited(
  { retryAfterMs = 0, isFinal }: Tried,
  { retries, leftMs, heldMs, random }: RetryPlace,
): Step {
  const backoff = FIRST_BACKOFF_MS * 2 ** retries * (0.5 + random() / 2);
  // Those who were told the same moment do not all come at it.
  const ms = Math.max(backoff, retryAfterMs + random() * SPREAD_MS);
  const isHopeless = isFinal || retries >= RETRIES || ms >= leftMs || ms + heldMs > HOLD_MS;
  return isHopeless ? { kind: 'pass-on', isFinal: true } : { kind: 'wait', ms };
}
