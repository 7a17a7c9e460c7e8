export {
  type Admission,
  type Admitted,
  admitPersona,
  dispatchablePersonas,
} from './consent/admit-persona.ts';
export {
  type ApprovedPersona,
  type ApprovedPersonas,
  memoryApprovedPersonas,
} from './consent/approved-personas.ts';
export {
  type ConsentDesk,
  consentDesk,
  type Decision,
  type DeskOptions,
} from './consent/decide.ts';
export { type Proposal, type Proposing, proposalsOf, proposeRole } from './consent/proposal.ts';
export { type StandingConsent, standingConsent } from './consent/standing-consent.ts';
export { answerGap, type GapAnswer } from './gaps/answer-gap.ts';
export { type EscalatedTask, type EscalateOptions, escalateFn } from './gaps/escalate-fn.ts';
export { type Gap, taskGapId } from './gaps/gap.ts';
export { type GapLatch, gapLatch } from './gaps/gap-latch.ts';
export type { JsonObject } from './json-object.ts';
export type { AuditEntry, AuditLedger, AuditRow } from './ledger/audit-ledger.ts';
export { AUDIT_EVENTS } from './ledger/event-types.ts';
export { memoryLedger } from './ledger/memory-ledger.ts';
export {
  HEARTBEAT_MS,
  type Heartbeat,
  readHeartbeats,
  type SignOfLife,
} from './liveness/heartbeats.ts';
export { type Life, type Liveness, liveness, type Worker } from './liveness/liveness.ts';
export {
  MEETING_CAPS,
  MeetingBackstop,
  type MeetingCaps,
  type PartialReason,
} from './meeting/backstop.ts';
export type { Contribution } from './meeting/contribution.ts';
export { fencedTranscript } from './meeting/fenced-transcript.ts';
export {
  type HeldMeeting,
  type HeldOutcome,
  holdMeeting,
  type Question,
} from './meeting/hold-meeting.ts';
export type {
  Closed,
  Meeting,
  MeetingOptions,
  MeetingState,
  Post,
  Posted,
} from './meeting/meeting.ts';
export type { Turn } from './meeting/meeting-log.ts';
export type { Closing, Minutes } from './meeting/minutes.ts';
export { minutesText, type RecordedMeeting } from './meeting/minutes-text.ts';
export { meetingHeld, openMeeting } from './meeting/open-meeting.ts';
export { type Entry, recordMeeting } from './meeting/record-meeting.ts';
export { type Stand, type Tally, tally } from './meeting/tally.ts';
export { type PostMortem, recordPostMortem } from './post-mortem/record-post-mortem.ts';
export { type RefusedTask, refusedTasks, type TaskLinks } from './post-mortem/refused-tasks.ts';
export { type StoppedLine, stoppedLines } from './post-mortem/stopped-lines.ts';
export { CORE_PERSONAS } from './roster/core-roster.ts';
export { GENERIC_WORKER } from './roster/generic-worker.ts';
export { loadPersonas, type PersonaFile } from './roster/load-personas.ts';
export type { Persona } from './roster/persona.ts';
export { personaOfTask, resolvePersona } from './roster/resolve-persona.ts';
export { type Roster, rosterOf } from './roster/roster.ts';
export {
  type Mirrored,
  type RecordedSideQuery,
  recordSideQuery,
  type SideQuery,
} from './side-query/record-side-query.ts';
export type { SideQueryDocument } from './side-query/side-query-document.ts';
export { TeamError } from './team-error.ts';
export { type FencedMessage, fenceMessage } from './wire/fence-message.ts';
export { followDelayMs } from './wire/follow-delay.ts';
export { type MemoryWireOptions, memoryWire } from './wire/memory-wire.ts';
export {
  decodeMessage,
  encodeMessage,
  MESSAGE_TYPES,
  type MessageType,
  type TypedMessage,
} from './wire/message-type.ts';
export {
  type MessageWire,
  type OutgoingMessage,
  type SentMessage,
  WIRE_KINDS,
  type WireKind,
  type WireRow,
} from './wire/message-wire.ts';
export { recipientKey } from './wire/recipient-key.ts';
