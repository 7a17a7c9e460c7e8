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
export type { ApprovedPersona, ApprovedRoster } from './team/approved-roster.ts';
export type { GateAnswer, GateBypass } from './team/gate.ts';
export type { InboxQuery, MessageQuery, ReadMark } from './team/inbox.ts';
export type { AuditEntry, AuditRow, TeamLedger } from './team/ledger.ts';
export type { Member, NewMember } from './team/member.ts';
export type { MessageType, OutgoingMessage, WireKind } from './team/message.ts';
export type { OutcomeRecord, Outcomes } from './team/outcomes.ts';
export type { Resolved } from './team/payload.ts';
export type { Persona, PersonaSnapshot } from './team/persona-snapshot.ts';
export {
  type Gate,
  PHASE_CATALOGUE,
  type Phase,
  type PhaseCatalogue,
} from './team/phase-catalogue.ts';
export type { PhaseBypass, PhaseEvent } from './team/phase-history.ts';
export type { ConfirmedPhase, ForcedPhase, PhaseAdvance, Phases } from './team/phases.ts';
export type { NewTeam, Team, TeamRegistry } from './team/registry.ts';
export type { SendOptions, SentMessage } from './team/send.ts';
export type { Shutdown, ShutdownRequest, ShutdownResponse, Shutdowns } from './team/shutdown.ts';
export type { TeamStore } from './team/team-store.ts';
export type { TeamWire } from './team/wire.ts';
export type { WireRow } from './team/wire-row.ts';
export { type Verification, verifyStore } from './verify-store.ts';
