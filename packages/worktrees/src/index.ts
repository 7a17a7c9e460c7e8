export type { SavedState } from './attempt/attempt-record.ts';
export type { AttemptName, CarveRequest, Worktree } from './attempt/carve.ts';
export type { Scratch } from './attempt/checkout.ts';
export type { Removal } from './attempt/remove.ts';
export type { Salvage } from './attempt/salvage.ts';
export type { ChangeSet, FileChange } from './content/change-set.ts';
export type { ChangedPath } from './content/changed-paths.ts';
export type { FileFact } from './content/facts.ts';
export { filesAtHead } from './content/files-at-head.ts';
export type { TreeEntry } from './content/tree-entries.ts';
export type { Equipment } from './equip/equip.ts';
export { WorktreeError } from './error.ts';
export type { CheckoutMerge, CheckoutMerged } from './integration/merge-into-checkout.ts';
export type { Merge, Offer, Proposal } from './integration/propose.ts';
export type { Step } from './integration/publish.ts';
export {
  type Collection,
  type CollectRequest,
  collectWorktrees,
} from './inventory/collect.ts';
export {
  type Inventory,
  type LeftWorktree,
  listWorktrees,
} from './inventory/list.ts';
export { openRepository, type Repository, type RepositoryOptions } from './repository.ts';
export { listSalvage, type SavedWork } from './rescue/list-salvage.ts';
export {
  type Restored,
  type RestoreRequest,
  restoreSalvage,
} from './rescue/restore-salvage.ts';
export {
  type Patch,
  type ShownWork,
  showSalvage,
} from './rescue/show-salvage.ts';
export type { Run, RunRequest } from './run.ts';
export { runBranch } from './safe-name.ts';
export type { SetUp } from './site.ts';
export { continuesFrom } from './transport/continues-from.ts';
export { withWorktrees } from './transport/with-worktrees.ts';
