import { WorktreeError } from '../error.ts';
import { shown } from '../shown.ts';

/** The error for a worktree that is not the one this run carved for its attempt. */
export const notCarved = ({ path }: { readonly path: string }): WorktreeError =>
  new WorktreeError(
    'NOT_OURS',
    `${shown(path)} was not carved by this run`,
    'Only worktrees that carve or find of the same run gave are handled.',
  );
