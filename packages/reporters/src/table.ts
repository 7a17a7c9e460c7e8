import { columnsOf, fit, pad } from './fit.ts';

/** A column takes what its cells need, at most `max`, and gives way down to `min` when the line is too long. */
export interface Column {
  readonly title: string;
  readonly min: number;
  readonly max: number;
}

const GAP = '  ';

/** Aligned lines, the titles first. Cells must be printable; what does not fit is cut with an ellipsis. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const titles = columns.map(({ title }) => title);
  const widths = shrink(columns, naturalWidths(columns, rows), width);
  return [titles, ...rows].map((cells) =>
    cells
      .map((cell, index) => pad(fit(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function naturalWidths(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  const widths = columns.map(({ title }) => columnsOf(title));
  for (const cells of rows) {
    for (const [index, { max }] of columns.entries()) {
      const known = widths[index] ?? 0;
      if (known < max)
        widths[index] = Math.max(known, Math.min(max, columnsOf(cells[index] ?? '')));
    }
  }
  return widths;
}

/** Takes single columns from the widest that may still give until the line fits or none may. */
function shrink(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const gaps = GAP.length * (columns.length - 1);
  let excess = widths.reduce((sum, each) => sum + each, gaps) - width;
  for (; excess > 0; excess--) {
    const spare = widths.map((each, index) => (each > (columns[index]?.min ?? 0) ? each : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}
