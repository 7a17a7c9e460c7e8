import type { Bound, Row } from './row.ts';

/** The rows of one bench as lines of text, columns aligned. */
export function renderTable(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return NUMBERS.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return `${cells.map(line).join('\n')}\n`;
}

const HEAD = ['bench', 'figure', 'value', 'unit', 'ratio', 'bound', '', 'note'];

/** Columns that are read from their right end. */
const NUMBERS: ReadonlySet<number> = new Set([2, 4]);

const cellsOf = ({ bench, name, value, unit, ratio, bound, met, note }: Row): string[] => [
  bench,
  name,
  value === null ? '-' : figure(value),
  unit,
  ratio === undefined ? '' : ratio.toFixed(2),
  bound ? boundText(bound) : '',
  met === undefined ? '' : met ? 'kept' : 'MISSED',
  note ?? '',
];

const boundText = (bound: Bound): string =>
  'atMost' in bound ? `<= ${bound.atMost}` : `>= ${bound.atLeast}`;

/** Three digits that mean something. */
function figure(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(3, digits));
}
