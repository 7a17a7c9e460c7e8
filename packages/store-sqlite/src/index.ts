export { StoreError } from './error.ts';
export { type HeldLock, holdLock } from './hold-lock.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export type {
  AttemptRow,
  ChangeRow,
  EscalationRow,
  ProductRow,
  RunRow,
  StageRow,
  TaskRow,
} from './schema.ts';
