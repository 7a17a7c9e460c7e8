import type { MessageType, WireKind } from './message.ts';

/** A phase in the order of the catalogue; flags are 0 or 1. */
interface PhaseRow {
  readonly name: string;
  readonly position: number;
  readonly skill: string;
  readonly description: string;
  readonly is_terminal: number;
  readonly from_anywhere: number;
}

interface TransitionRow {
  readonly from_phase: string;
  readonly to_phase: string;
}

interface GateRow {
  readonly skill: string;
  readonly required_phase: string | null;
}

interface GatePhaseRow {
  readonly skill: string;
  readonly phase: string;
}

/** Where a project is. */
export interface ProjectPhaseRow {
  readonly project: string;
  readonly phase: string;
  readonly updated_at: string;
}

/** A gate that was passed, or a transition that was made, against the rules. Never changed. */
export interface PhaseBypassRow {
  readonly id: number;
  readonly project: string;
  readonly from_phase: string;
  readonly to_phase: string;
  readonly skill: string | null;
  readonly reason: string;
  readonly agent: string;
  readonly created_at: string;
}

/** A step in the history of a project. Never changed. */
export interface PhaseEventRow {
  readonly id: number;
  readonly project: string;
  readonly kind: 'advance' | 'force' | 'bypass';
  readonly from_phase: string;
  readonly to_phase: string;
  readonly agent: string;
  readonly detail: string | null;
  readonly bypass_id: number | null;
  readonly created_at: string;
}

/** A team of one run. */
export interface TeamRow {
  readonly team_id: string;
  readonly run_id: string;
  readonly project: string;
  readonly lead_role: string;
  readonly status: 'active' | 'shutting_down' | 'closed';
  readonly created_at: string;
}

/** A persona as it was when somebody joined with it. Never changed. */
export interface SnapshotRow {
  readonly id: number;
  readonly sha256: string;
  readonly persona_version: string;
  readonly persona_blob: string;
  readonly created_at: string;
}

/** Who belongs to a team, as which persona. */
export interface MemberRow {
  readonly team_id: string;
  readonly role_id: string;
  readonly member_name: string;
  readonly wave: number;
  readonly persona_snapshot_id: number;
  readonly joined_at: string;
}

/** A body that is too long for the wire, under its address. Never changed. */
export interface PayloadRow {
  readonly team_id: string;
  readonly sha256: string;
  readonly byte_len: number;
  readonly body: string;
  readonly created_at: string;
}

/** A message to one recipient. Never changed. */
export interface MessageRow {
  readonly id: number;
  readonly team_id: string;
  readonly recipient: string;
  readonly seq: number;
  readonly sender_id: string;
  readonly idempotency_key: string | null;
  readonly causal_ref: number | null;
  readonly kind: WireKind;
  readonly mtype: MessageType | null;
  readonly meeting_id: string | null;
  readonly turn: number | null;
  readonly wave: number | null;
  readonly payload: string;
  readonly payload_ref: string | null;
  readonly persona_snapshot_id: number;
  readonly created_at: string;
}

/** How far a member has read. */
export interface DeliveryRow {
  readonly team_id: string;
  readonly recipient: string;
  readonly last_seq: number;
  readonly delivered_at: string;
}

/** That somebody was asked to stop. Never changed. */
export interface ShutdownRequestRow {
  readonly request_id: string;
  readonly team_id: string;
  readonly requested_by: string;
  readonly recipient: string;
  readonly reason: string | null;
  readonly seq: number;
  readonly created_at: string;
}

/** What the one who was asked said; `approve` is 0 or 1. Never changed. */
export interface ShutdownResponseRow {
  readonly request_id: string;
  readonly approve: number;
  readonly reason: string | null;
  readonly seq: number;
  readonly created_at: string;
}

/** A row of the ledger. Never changed. */
export interface AuditLogRow {
  readonly id: number;
  readonly team_id: string;
  readonly event_type: string;
  readonly payload: string | null;
  readonly created_at: string;
}

/** What a team does once, and the row that tells of it. Never changed. */
export interface LatchRow {
  readonly team_id: string;
  readonly gap_id: string;
  readonly audit_id: number;
}

/** A persona that a person agreed to. Never changed. */
export interface RosterAgentRow {
  readonly agent_id: string;
  readonly profile: string;
  readonly team_id: string;
  readonly proposal_id: number;
  readonly consent_id: number;
  readonly approved_by: string;
  readonly created_at: string;
}

/** How a run ended. */
export interface OutcomeRow {
  readonly run_id: string;
  readonly json: string;
  readonly recorded_at: string;
}

/** The tables that are written for their own sake: no event of a run tells of them, and none is derived. */
export interface TeamSchema {
  readonly phases: PhaseRow;
  readonly phase_transitions: TransitionRow;
  readonly skill_gates: GateRow;
  readonly skill_gate_phases: GatePhaseRow;
  readonly project_phase: ProjectPhaseRow;
  readonly phase_bypasses: PhaseBypassRow;
  readonly phase_events: PhaseEventRow;
  readonly teams: TeamRow;
  readonly persona_snapshots: SnapshotRow;
  readonly team_members: MemberRow;
  readonly bridge_payloads: PayloadRow;
  readonly bridge_messages: MessageRow;
  readonly bridge_delivery: DeliveryRow;
  readonly shutdown_requests: ShutdownRequestRow;
  readonly shutdown_responses: ShutdownResponseRow;
  readonly team_audit_log: AuditLogRow;
  readonly escalation_latches: LatchRow;
  readonly roster_agents: RosterAgentRow;
  readonly outcome_records: OutcomeRow;
}
