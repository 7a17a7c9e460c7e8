import type { PlanCommand } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { names } from './names.ts';

/** What a plan puts into the worktrees of its workers beside the files of the commit. */
export interface BroughtFiles {
  readonly copy?: readonly string[];
  readonly link?: readonly string[];
}

/** Told before they are only counted. */
const LISTED = 20;

/** Characters of a command or a path that are shown. */
const LONGEST = 400;

/** What a run of the plan would execute and bring along because the plan says so: for whoever did not write it. */
export function commandLines(
  commands: readonly PlanCommand[],
  { copy = [], link = [] }: BroughtFiles = {},
): string[] {
  return [
    ...listed('Commands:', commands, ({ kind, command, tasks }) => {
      const whose =
        tasks === undefined ? '' : ` of ${count(tasks.length, 'task', 'tasks')} (${names(tasks)})`;
      return `${kind}${whose}: ${shown(command)}`;
    }),
    ...listed('Copied into worktrees:', copy, shown),
    ...listed('Linked into worktrees:', link, shown),
  ];
}

function listed<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const rest = items.length - LISTED;
  return [
    '',
    title,
    ...items.slice(0, LISTED).map((item) => `- ${line(item)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}

/** A text that is cut says so: what is hidden behind its end is for the reader to look up. */
function shown(text: string): string {
  const more = text.length - LONGEST;
  return more > 0
    ? `${printable(text.slice(0, LONGEST), Number.POSITIVE_INFINITY)} (and ${more} characters more: see the plan)`
    : printable(text, Number.POSITIVE_INFINITY);
}
