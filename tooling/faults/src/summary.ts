import type { TrialEnd } from './trial.ts';

/** The figures of all trials as lines of text. */
export function summaryOf(ends: readonly TrialEnd[]): string[] {
  const sum = (of: (end: TrialEnd) => number) => ends.reduce((total, end) => total + of(end), 0);
  const rows: [string, number][] = [
    ['trials', ends.length],
    ['kills that fell', sum(({ kills }) => kills.length)],
    ['trials in which none fell', ends.filter(({ kills }) => kills.length === 0).length],
    ['executions', sum(({ executions }) => executions)],
    ['charges', sum(({ charges }) => charges)],
    ['attempts that had no worker', sum(({ lostAttempts }) => lostAttempts)],
    ['temporary folders left', sum(({ temporary }) => temporary)],
    ...FIGURES.map((name): [string, number] => [name, sum(({ figures }) => figures[name])]),
    ['hosts stranded', sum(({ stranded }) => stranded.length)],
    ['trials that did not hold', ends.filter(({ held }) => !held).length],
  ];
  return rows.map(([name, count]) => `${name.padEnd(34)} ${String(count).padStart(6)}`);
}

const FIGURES = [
  'lost',
  'doubled',
  'mergedTwice',
  'overBudget',
  'processesLeft',
  'worktreesLeft',
  'wasted',
  'differs',
] as const;
