import type { ContentGit } from './content-git.ts';
import type { Git } from './git.ts';
import type { OneAtATime } from './one-at-a-time.ts';

/** What the steps of one run share. */
export interface Site {
  readonly topLevel: string;
  readonly commonDir: string;
  readonly root: string;
  /** The safe name of the run. */
  readonly run: string;
  readonly runId: string;
  /** The full name of the integration branch. */
  readonly branch: string;
  /** Git on the clone’s own git dir: for refs and registrations only, never for content. */
  readonly refs: Git;
  readonly content: ContentGit;
  /** For what changes the clone’s registrations or the integration branch. */
  readonly serially: OneAtATime;
  readonly warn: (message: string) => void;
}
