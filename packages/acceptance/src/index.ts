export { type AcceptanceOptions, acceptance } from './acceptance.ts';
export { AcceptanceError } from './error.ts';
export type { GateNote } from './integrate/gate.ts';
export {
  type MemoryWork,
  type MemoryWorkspace,
  memoryWorkspace,
} from './memory/memory-workspace.ts';
export { needsShell } from './needs-shell.ts';
export { isProtected } from './scope/protected.ts';
export {
  PROTECTED_NAMES,
  type ProtectedKind,
  type ProtectedNames,
} from './scope/protected-names.ts';
export { type Offence, writeScope } from './scope/write-scope.ts';
export type { Shell, ShellCall, ShellEnd } from './shell.ts';
export type {
  AttemptId,
  ChangeSet,
  FileChange,
  FileFact,
  Merge,
  Offer,
  Place,
  Proposal,
  Scratch,
  Workspace,
} from './workspace.ts';
