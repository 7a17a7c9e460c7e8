import type { ChangeStatus, WorkUnderReview } from './briefing-input.ts';
import { fence, fenceNames } from './fence.ts';
import { textOrder } from './text-order.ts';

/** Changed files named before they are only counted. */
const FILES = 200;

/** Code points of what the author says: what its own briefing allowed it. */
const NOTES_LIMIT = 2000;

const OBJECT_NAME = /^[0-9a-f]{40,64}$/;

/** The work that this attempt judges: what was asked, what was done, how to see it, and what each verdict means. */
export function reviewSection(review: WorkUnderReview): string {
  const { taskId, attempt, title, description, acceptance, notes } = review;
  return [
    `# The work you review

Your folder holds the work of another worker, read-only: attempt ${attempt} of the task`,
    fenceNames('reviewed task', [taskId]),
    ...(title === undefined ? [] : [fence('its title', title)]),
    ...(description === undefined
      ? []
      : ['What was asked:', fence('its description', description)]),
    ...(acceptance === undefined
      ? []
      : ['It is to be accepted when:', fence('its acceptance', acceptance)]),
    ...(notes === undefined
      ? []
      : ['What its author says:', fence('its notes', notes, NOTES_LIMIT)]),
    ...changedFiles(review),
    ...seeing(review),
    VERDICT,
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

const VERDICT = `Judge whether this work does what was asked. Change no file, and mend nothing yourself. Your status is the verdict:
  - done: you approve the work as it is. As artifacts, list the files you looked at.
  - blocked: it does not pass. The notes are your findings and go to its author: what is wrong, where, and what would be right.
  - needs-input: counts like blocked.
  - abandoned: nobody in your place could judge it. Then the work can not count.`;
