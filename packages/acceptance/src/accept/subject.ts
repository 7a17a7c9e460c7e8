import type { Acceptability, AcceptedWork, Task } from '@atelier/engine';
import type { JsonValue, Reply } from '@atelier/envelope';
import type { Shell } from '../shell.ts';
import type { ChangeSet, Workspace } from '../workspace.ts';

/** What the stages look at. */
export interface Subject {
  readonly task: Task;
  readonly attempt: number;
  readonly reply: Reply;
  readonly changeSet: ChangeSet;
  readonly siblings: readonly AcceptedWork[];
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly shell?: Shell;
  readonly commandMs: number;
}

type Refusal = Extract<Acceptability, { kind: 'refused' }>;

/** How a stage went. */
export type StageEnd =
  | Refusal
  | { readonly kind: 'passed'; readonly evidence?: Readonly<Record<string, JsonValue>> }
  /** The stage has nothing to look at. */
  | { readonly kind: 'void' };

/** The commit that there is to merge; a worker’s commit that changes nothing is none. */
export const workOf = ({ commit, changes }: ChangeSet): string | undefined =>
  changes.length === 0 ? undefined : commit;
