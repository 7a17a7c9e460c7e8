export type { ChangedRow } from './compare-rows.ts';
export { StoreError } from './error.ts';
export type { FileSystemProbe } from './file-system.ts';
export { type HeldLock, holdLock } from './hold-lock.ts';
export type { Approval, MergedWork } from './merged-work.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export type { BadRow } from './read-event.ts';
export type {
  AttemptRow,
  ChangeRow,
  EscalationRow,
  ProductRow,
  RunRow,
  StageRow,
  TaskRow,
} from './schema.ts';
export { storeFile } from './store-file.ts';
export { type Verification, verifyStore } from './verify-store.ts';
