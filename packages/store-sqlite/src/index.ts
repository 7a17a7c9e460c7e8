export { StoreError } from './error.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export type { AttemptRow, EscalationRow, RunRow, TaskRow } from './schema.ts';
