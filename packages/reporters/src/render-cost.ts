import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { type Column, table } from './table.ts';

/** What attempts have used, as far as it is known. */
export interface CostSum {
  readonly attempts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** US dollars. */
  readonly costUsd: number;
  /** Attempts of which no tokens, and of which no cost is known. */
  readonly unmetered: number;
  readonly unpriced: number;
}

export interface CostTable {
  readonly total: CostSum;
  /** Groupings by their title, each with its sums by name. */
  readonly groups: readonly {
    readonly title: string;
    readonly rows: readonly (readonly [name: string, sum: CostSum])[];
  }[];
}

const columnsFor = (title: string): readonly Column[] => [
  { title, min: 8, max: 32 },
  { title: 'attempts', min: 8, max: 8 },
  { title: 'in', min: 4, max: 12 },
  { title: 'out', min: 4, max: 12 },
  { title: 'cache read', min: 4, max: 12 },
  { title: 'cache write', min: 4, max: 12 },
  { title: 'cost', min: 6, max: 16 },
];

/** Tokens and dollars, one table for each grouping, and what is not known said below them. */
export function renderCost(
  { total, groups }: CostTable,
  { width = 120 }: { readonly width?: number } = {},
): string {
  const tables = groups.flatMap(({ title, rows }) => [
    ...table(
      columnsFor(title),
      rows.map(([name, sum]) => [printable(name), ...cells(sum)]),
      width,
    ),
    '',
  ]);
  const unknown = [
    ...(total.unmetered > 0
      ? [`${count(total.unmetered, 'attempt has', 'attempts have')} told no tokens.`]
      : []),
    ...(total.unpriced > 0
      ? [
          `${count(total.unpriced, 'attempt has', 'attempts have')} no known cost: the sums are too low.`,
        ]
      : []),
  ];
  const all = `${count(total.attempts, 'attempt', 'attempts')}, ${costText(total)}.`;
  return [...tables, all, ...unknown].map((line) => `${line}\n`).join('');
}

const cells = (sum: CostSum): string[] => [
  String(sum.attempts),
  ...[sum.inputTokens, sum.outputTokens, sum.cacheReadTokens, sum.cacheWriteTokens].map(grouped),
  costText(sum),
];

/** A sum that lacks something says so; one that knows nothing is no number. */
export function costText({ costUsd, unpriced, attempts }: CostSum): string {
  if (unpriced > 0 && unpriced === attempts) return 'cost unknown';
  return `${unpriced > 0 ? 'at least ' : ''}$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}

const grouped = (value: number): string => value.toLocaleString('en-US');
