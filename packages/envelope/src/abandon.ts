import { firstLine } from './first-line.ts';

/** Why a worker may give up; nothing outside this list is an abandonment. */
export const ABANDON_CATEGORIES = [
  'scope',
  'blocked',
  'conflict',
  'capacity',
  'stale_rules',
  'no_consensus',
  'destructive_rejected',
  'tests_unrecoverable',
] as const;
Object.freeze(ABANDON_CATEGORIES);

/** The kind of reason a worker gave up for. */
export type AbandonCategory = (typeof ABANDON_CATEGORIES)[number];

/** A worker's stated reason for giving up, as it wrote it; pass `reason` through `printable` before showing it. */
export interface Abandon {
  readonly category: AbandonCategory;
  readonly reason: string;
}

/** The grammar of the first line of an abandoned reply's notes; the reason is 1 to 200 code points. */
export const ABANDON_RE: RegExp = new RegExp(
  `^ABANDON: (?<category>${ABANDON_CATEGORIES.join('|')}):(?<reason>.{1,200})$`,
  'u',
);

/** Reads the abandonment from the first line of `notes`; undefined when that line, or the type, is anything else. */
export function parseAbandon(notes: unknown): Abandon | undefined {
  if (typeof notes !== 'string') return undefined;
  const { category: word, reason } = ABANDON_RE.exec(firstLine(notes))?.groups ?? {};
  const category = ABANDON_CATEGORIES.find((known) => known === word);
  return category === undefined || reason === undefined ? undefined : { category, reason };
}
