import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { type Column, table } from './table.ts';
import { instant } from './when.ts';

/** Saved work of one attempt. Its texts are foreign. */
export interface SavedItem {
  readonly task: string;
  readonly attempt: number;
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** The commit that it started from; absent where nobody knows. */
  readonly base?: string;
  /** How many paths differ from the base. */
  readonly files: number;
  readonly merged: boolean;
  /** It is what was found beside the work of the attempt, not that work. */
  readonly after: boolean;
  readonly commit: string;
}

/** The same, with what it changed. */
export interface SavedDetail extends SavedItem {
  readonly ref: string;
  readonly changes: readonly {
    readonly path: string;
    readonly status: string;
    readonly insertions?: number;
    readonly deletions?: number;
  }[];
  readonly patch?: { readonly text: string; readonly truncated: boolean };
  /** The ref of what was found beside it, if there is one. */
  readonly beside?: string | undefined;
}

const LIST: readonly Column[] = [
  // The name that a ref gives a task has up to 45 characters.
  { title: 'task', min: 8, max: 45 },
  { title: 'attempt', min: 7, max: 9 },
  { title: 'run', min: 8, max: 45 },
  { title: 'when (UTC)', min: 10, max: 16 },
  { title: 'files', min: 5, max: 8 },
  { title: 'state', min: 8, max: 8 },
  { title: 'commit', min: 10, max: 10 },
];

/** Saved work as a table, in the order that it is given. */
export function renderSalvageList(
  items: readonly SavedItem[],
  { width = 120 }: { readonly width?: number } = {},
): string {
  if (items.length === 0) return 'No saved work.\n';
  const rows = items.map((item) => [
    printable(item.task),
    `${item.attempt}`,
    printable(item.run),
    minuteOf(item.savedAt),
    filesOf(item),
    stateOf(item),
    printable(item.commit).slice(0, 10),
  ]);
  const unmerged = items.filter((item) => stateOf(item) === 'unmerged').length;
  const total = `${items.length} saved, ${unmerged} of them unmerged. atelier salvage show TASK shows what is in one.`;
  return `${[...table(LIST, rows, width), '', total].join('\n')}\n`;
}

const CHANGES: readonly Column[] = [
  { title: 'change', min: 8, max: 12 },
  { title: 'lines', min: 5, max: 24 },
  { title: 'path', min: 8, max: 500 },
];

/** More are only counted. */
const MOST_CHANGES = 1_000;
const LONGEST_PATH = 500;
const LONGEST_LINE = 10_000;

/** What an attempt left, with its changed paths, and its patch if there is one. No path is cut to a width. */
export function renderSalvage(work: SavedDetail): string {
  const { changes, patch, beside } = work;
  const rows = changes
    .slice(0, MOST_CHANGES)
    .map(({ status, path, ...lines }) => [
      printable(status),
      linesOf(lines),
      printable(path, LONGEST_PATH),
    ]);
  const lines = [
    `Task ${printable(work.task)}, attempt ${work.attempt} of run ${printable(work.run)}: ${stateOf(work)}, ${
      work.base === undefined ? 'where it started is not known' : count(work.files, 'file', 'files')
    }.`,
    '',
    `ref     ${printable(work.ref)}`,
    `commit  ${printable(work.commit)}`,
    ...(work.base === undefined ? [] : [`base    ${printable(work.base)}`]),
    `saved   ${instant(work.savedAt) ?? '-'}`,
    ...(beside === undefined ? [] : [`beside  ${printable(beside)}`]),
    ...(rows.length > 0 ? ['', ...table(CHANGES, rows, Number.POSITIVE_INFINITY)] : []),
    ...(changes.length > rows.length
      ? [`and ${changes.length - rows.length} more; --json lists all`]
      : []),
    ...(patch ? ['', ...patchLines(patch)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** What was made of saved work. */
export type RestoredWork =
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string }
  | { readonly kind: 'folder'; readonly path: string; readonly commit: string };

const LONGEST_WORD = 4_096;

/** What was made, and how to look at it. */
export function renderRestored(
  restored: RestoredWork,
  { base, clone }: { readonly base?: string | undefined; readonly clone: string },
): string {
  if (restored.kind === 'folder') {
    const path = word(restored.path);
    return `Wrote its files to ${path}.\nLook at it: diff -r --exclude=.git ${word(clone)} ${path}\n`;
  }
  const branch = word(restored.branch);
  const look = base === undefined ? `git show ${branch}` : `git diff ${printable(base)} ${branch}`;
  return `Made branch ${branch} at ${printable(restored.commit)}. Nothing else has moved.\nLook at it: ${look}\n`;
}

/** Foreign text as one word of a command that a person may paste. */
function word(text: string): string {
  const safe = printable(text, LONGEST_WORD);
  return /^[\w./@+:,-]+$/u.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}

const stateOf = ({ merged, after }: SavedItem): string =>
  after ? 'after' : merged ? 'merged' : 'unmerged';

const filesOf = ({ base, files }: SavedItem): string => (base === undefined ? '?' : `${files}`);

const minuteOf = (ms: number): string => instant(ms)?.slice(0, 16).replace('T', ' ') ?? '-';

function linesOf({
  insertions,
  deletions,
}: {
  readonly insertions?: number;
  readonly deletions?: number;
}): string {
  return insertions === undefined || deletions === undefined ? '-' : `+${insertions} -${deletions}`;
}

function patchLines({ text, truncated }: NonNullable<SavedDetail['patch']>): string[] {
  const lines = text.replace(/\n$/u, '').split('\n');
  const shown = lines.map((line) => printable(line.replaceAll('\t', '    '), LONGEST_LINE));
  return truncated ? [...shown, '(the patch is cut here)'] : shown;
}
