/** What the chat did in a run. */
export interface LoomCounters {
  /** Messages that were to be sent. */
  readonly attempted: number;
  /** Messages that reached at least one recipient. */
  readonly delivered: number;
  /**
   * Messages that did not, by code; `NO_RECIPIENT` is one that was taken and that nobody has. Codes are the server's
   * words: after the first 32 all others count as `OTHER`.
   */
  readonly failed: Readonly<Record<string, number>>;
  /** Bodies that went to a file. */
  readonly spilled: number;
  readonly sessionsOpen: number;
  readonly breakerTrips: number;
  /** Records of names that could not be kept. */
  readonly unrecorded: number;
}

/** The same while it grows. */
export interface Tally {
  attempted: number;
  delivered: number;
  failed: Map<string, number>;
  spilled: number;
  breakerTrips: number;
  unrecorded: number;
}

export const tally = (): Tally => ({
  attempted: 0,
  delivered: 0,
  failed: new Map(),
  spilled: 0,
  breakerTrips: 0,
  unrecorded: 0,
});

const CODES = 32;

const OTHER = 'OTHER';

/** Counts a message that nobody has. */
export function countFailure({ failed }: Pick<Tally, 'failed'>, code: string): void {
  const isKnown = failed.has(code) || failed.size < CODES;
  const counted = isKnown ? code : OTHER;
  failed.set(counted, (failed.get(counted) ?? 0) + 1);
}

export const countersOf = ({ failed, ...rest }: Tally, sessionsOpen: number): LoomCounters => ({
  ...rest,
  failed: Object.fromEntries([...failed].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  sessionsOpen,
});
