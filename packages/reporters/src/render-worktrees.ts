import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { type Column, table } from './table.ts';
import { instant } from './when.ts';

/** A worktree that a run left. Its texts are foreign. */
export interface WorktreeItem {
  readonly run: string;
  /** Absent where it was made for no attempt. */
  readonly taskId?: string;
  readonly attempt?: number;
  readonly path: string;
  readonly kind: 'attempt' | 'scratch';
  readonly state: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly lastUsed: number;
}

/** What became of worktrees when they were collected. */
export interface CollectedWorktrees {
  readonly removed: readonly WorktreeItem[];
  readonly kept: readonly { readonly worktree: WorktreeItem; readonly why: string }[];
}

const LONGEST_PATH = 4_096;
const LONGEST_REASON = 500;

const LIST: readonly Column[] = [
  { title: 'run', min: 8, max: 45 },
  { title: 'for', min: 8, max: 60 },
  { title: 'state', min: 5, max: 20 },
  { title: 'size', min: 4, max: 10 },
  { title: 'last use (UTC)', min: 14, max: 16 },
  { title: 'path', min: 8, max: LONGEST_PATH },
];

/** Worktrees as a table with their total, in the order that they are given. No path is cut to a width. */
export function renderWorktrees(worktrees: readonly WorktreeItem[]): string {
  if (worktrees.length === 0) return 'No run has left a worktree.\n';
  const rows = worktrees.map((worktree) => [
    printable(worktree.run),
    purposeOf(worktree),
    stateOf(worktree),
    sizeText(worktree.bytes),
    instant(worktree.lastUsed)?.slice(0, 16).replace('T', ' ') ?? '-',
    printable(worktree.path, LONGEST_PATH),
  ]);
  const lines = table(LIST, rows, Number.POSITIVE_INFINITY);
  const total = `${totalOf(worktrees)}. atelier worktrees gc removes those of runs that have ended.`;
  return `${[...lines, '', total].join('\n')}\n`;
}

const COLLECTION: readonly Column[] = [
  { title: '', min: 4, max: 12 },
  { title: 'run', min: 8, max: 45 },
  { title: 'for', min: 8, max: 60 },
  { title: 'size', min: 4, max: 10 },
  { title: 'why', min: 3, max: LONGEST_REASON },
];

/** What was removed, or would be; what was kept, and why. */
export function renderCollection(
  { removed, kept }: CollectedWorktrees,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): string {
  if (removed.length + kept.length === 0) return 'No run has left a worktree.\n';
  const row = (what: string, worktree: WorktreeItem, why = '') => [
    what,
    printable(worktree.run),
    purposeOf(worktree),
    sizeText(worktree.bytes),
    printable(why, LONGEST_REASON),
  ];
  const rows = [
    ...removed.map((worktree) => row(dryRun ? 'would go' : 'removed', worktree)),
    ...kept.map(({ worktree, why }) => row('kept', worktree, why)),
  ];
  const rest = kept.map(({ worktree }) => worktree);
  const total = `${dryRun ? 'Would remove' : 'Removed'} ${totalOf(removed)}; ${dryRun ? 'would keep' : 'kept'} ${totalOf(rest)}.`;
  const hint = ' What was in them is saved: atelier salvage list.';
  const isWork = removed.some(({ kind }) => kind === 'attempt');
  const end = `${total}${!dryRun && isWork ? hint : ''}`;
  return `${[...table(COLLECTION, rows, Number.POSITIVE_INFINITY), '', end].join('\n')}\n`;
}

/** No task of that name is meant: a task always comes with its attempt. */
const purposeOf = ({ taskId, attempt }: WorktreeItem): string =>
  taskId === undefined ? 'checkout' : `${printable(taskId, 40)}, attempt ${attempt ?? '?'}`;

const stateOf = ({ kind, state }: WorktreeItem): string =>
  kind === 'scratch' && state !== 'gone' ? 'holds no work' : printable(state);

const totalOf = (worktrees: readonly WorktreeItem[]): string => {
  const bytes = worktrees.reduce((sum, worktree) => sum + worktree.bytes, 0);
  return `${count(worktrees.length, 'worktree', 'worktrees')}, ${sizeText(bytes)}`;
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes as people say them, in powers of a thousand, as disks are sold. */
function sizeText(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '-';
  let amount = bytes;
  let unit = 0;
  // What would be rounded to a thousand is one of the next unit.
  for (; amount >= (unit === 0 ? 1_000 : 999.5) && unit < UNITS.length - 1; unit += 1)
    amount /= 1_000;
  const digits = unit === 0 || amount >= 9.95 ? 0 : 1;
  return `${amount.toFixed(digits)} ${UNITS[unit]}`;
}
