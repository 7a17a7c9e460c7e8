/** What a ratio has to keep to. */
export type Bound = { readonly atMost: number } | { readonly atLeast: number };

/** One figure. Wire format: grows by optional keys within a version of the document. */
export interface Row {
  readonly bench: string;
  readonly name: string;
  /** Null where nothing could be measured; `note` says why. */
  readonly value: number | null;
  readonly unit: string;
  /** Against another figure of the same run, which `name` or `note` names. */
  readonly ratio?: number;
  readonly bound?: Bound;
  /** Whether the bound is kept. False without a bound: what was measured did not do its work. */
  readonly met?: boolean;
  readonly note?: string;
}

/** How much a bench does: `small` only shows that it works, and its figures mean nothing. */
export type Size = 'full' | 'small';

/** Measures, and leaves nothing behind. */
export type Bench = (size: Size) => Promise<Row[]>;

/** The row held to a bound; a ratio that is not there keeps to none. */
export function held(row: Row, bound: Bound): Row {
  const { ratio = Number.NaN } = row;
  const kept = 'atMost' in bound ? ratio <= bound.atMost : ratio >= bound.atLeast;
  return { ...row, bound, met: kept && row.met !== false };
}

/** The row of something that this machine does not have. */
export const absent = (bench: string, name: string, unit: string): Row => ({
  bench,
  name,
  value: null,
  unit,
  note: 'not installed here',
});
