import type { ChangeStatus, WorkUnderReview } from './briefing-input.ts';
import { fence, fenceNames, NOTES_LIMIT } from './fence.ts';
import { textOrder } from './text-order.ts';

/** Changed files named before they are only counted. */
const FILES = 200;

const OBJECT_NAME = /^[0-9a-f]{40,64}$/;

/** The work that this attempt judges: what was done, and how to see it. */
export function workSection(review: WorkUnderReview): string {
  const { attempt, notes } = review;
  return [
    `# The work you review\n\nIt is the author's attempt ${attempt}.`,
    ...(notes === undefined
      ? []
      : ['What its author says:', fence('author notes', notes, NOTES_LIMIT)]),
    ...changedFiles(review),
    ...seeing(review),
  ].join('\n');
}

const STATUSES: readonly string[] = [
  'added',
  'modified',
  'deleted',
  'type-changed',
] satisfies readonly ChangeStatus[];

/** For a file whose status is none of these: no changed file is kept from a reviewer. */
const OTHERWISE = 'changed';

function changedFiles({ files, omitted = 0 }: WorkUnderReview): string[] {
  if (files.length + omitted === 0) return ['It changed no file.'];
  const shown = files.toSorted((a, b) => textOrder(a.path, b.path)).slice(0, FILES);
  const rest = files.length - shown.length + omitted;
  return [
    'The files it changed:',
    ...[...STATUSES, OTHERWISE].flatMap((label) => {
      const paths = shown.filter(({ status }) => labelOf(status) === label).map(({ path }) => path);
      return paths.length === 0 ? [] : [fenceNames(label, paths)];
    }),
    ...(rest > 0 ? [`${rest} more changed files are not shown.`] : []),
  ];
}

const labelOf = (status: string): string => (STATUSES.includes(status) ? status : OTHERWISE);

/** A hash that is none is not told: the command would be another one. */
function seeing({ base, commit, diffCommand }: WorkUnderReview): string[] {
  if (diffCommand !== undefined)
    return ['This command shows what was changed:', fence('diff command', diffCommand)];
  if (!OBJECT_NAME.test(base)) return [];
  if (commit !== undefined && OBJECT_NAME.test(commit))
    return [`This command shows what was changed: \`git diff ${base} ${commit}\``];
  return [
    `This command shows what was changed: \`git diff ${base}\`. Files that git does not know yet are in \`git status\`.`,
  ];
}
