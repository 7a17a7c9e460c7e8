import type { ContentGit } from './content/content-git.ts';
import type { Equipment } from './equip/equip.ts';
import type { Git } from './git/git.ts';
import type { Asking } from './git/keep-asking.ts';
import type { ObjectReader } from './git/object-reader.ts';
import type { OneAtATime } from './git/one-at-a-time.ts';
import type { RefStep } from './git/ref-steps.ts';

/** Readies a fresh worktree, after its files are there. A rejection is that of whoever asked for the worktree. */
export type SetUp = (
  place: { readonly path: string; readonly frozen: readonly string[] },
  signal?: AbortSignal,
) => Promise<void>;

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
  /** What refs and other names of that git dir stand for. */
  readonly names: ObjectReader;
  /** A git that is kept to move the refs of saved work; absent where that happens once or twice. */
  readonly saving?: Asking<RefStep, true>;
  readonly content: ContentGit;
  /** For what changes the clone’s registrations or the integration branch. */
  readonly serially: OneAtATime;
  readonly warn: (message: string) => void;
  readonly equipment?: Equipment;
  readonly setUp?: SetUp;
}
