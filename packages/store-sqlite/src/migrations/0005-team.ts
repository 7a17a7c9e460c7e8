import { appendOnly, writeOnce } from '../team/append-only.ts';
import { PHASE_CATALOGUE } from '../team/phase-catalogue.ts';
import { seedPhases } from '../team/seed-phases.ts';

// A test kills a start after each entry of the list, which costs a process each: hence few of them.
/** Frozen text, and so is what it is made of: a later change is a later migration, never an edit. */
export const team: { readonly name: string; readonly sql: readonly string[] } = {
  name: '0005-team',
  sql: [
    `CREATE TABLE phases (
      name TEXT NOT NULL PRIMARY KEY,
      position INTEGER NOT NULL UNIQUE,
      skill TEXT NOT NULL,
      description TEXT NOT NULL,
      is_terminal INTEGER NOT NULL CHECK (is_terminal IN (0, 1)),
      from_anywhere INTEGER NOT NULL CHECK (from_anywhere IN (0, 1))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE phase_transitions (
      from_phase TEXT NOT NULL REFERENCES phases (name),
      to_phase TEXT NOT NULL REFERENCES phases (name),
      PRIMARY KEY (from_phase, to_phase)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE skill_gates (
      skill TEXT NOT NULL PRIMARY KEY,
      required_phase TEXT REFERENCES phases (name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE skill_gate_phases (
      skill TEXT NOT NULL REFERENCES skill_gates (skill),
      phase TEXT NOT NULL REFERENCES phases (name),
      PRIMARY KEY (skill, phase)
    ) STRICT, WITHOUT ROWID;
    ${seedPhases(PHASE_CATALOGUE)};
    CREATE TABLE project_phase (
      project TEXT NOT NULL PRIMARY KEY,
      phase TEXT NOT NULL REFERENCES phases (name),
      updated_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE phase_bypasses (
      id INTEGER NOT NULL PRIMARY KEY,
      project TEXT NOT NULL REFERENCES project_phase (project),
      from_phase TEXT NOT NULL REFERENCES phases (name),
      to_phase TEXT NOT NULL REFERENCES phases (name),
      skill TEXT REFERENCES skill_gates (skill),
      reason TEXT NOT NULL CHECK (trim(reason) <> ''),
      agent TEXT NOT NULL CHECK (trim(agent) <> ''),
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX phase_bypasses_of ON phase_bypasses (project, id);
    CREATE TABLE phase_events (
      id INTEGER NOT NULL PRIMARY KEY,
      project TEXT NOT NULL REFERENCES project_phase (project),
      kind TEXT NOT NULL CHECK (kind IN ('advance', 'force', 'bypass')),
      from_phase TEXT NOT NULL REFERENCES phases (name),
      to_phase TEXT NOT NULL REFERENCES phases (name),
      agent TEXT NOT NULL CHECK (trim(agent) <> ''),
      detail TEXT,
      bypass_id INTEGER REFERENCES phase_bypasses (id),
      created_at TEXT NOT NULL,
      CHECK ((kind = 'advance') = (bypass_id IS NULL))
    ) STRICT;
    CREATE INDEX phase_events_of ON phase_events (project, id);
    ${appendOnly('phase_bypasses')};
    ${appendOnly('phase_events')}`,

    `CREATE TABLE teams (
      team_id TEXT NOT NULL PRIMARY KEY,
      run_id TEXT NOT NULL UNIQUE,
      project TEXT NOT NULL REFERENCES project_phase (project),
      lead_role TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('active', 'shutting_down', 'closed')),
      created_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE persona_snapshots (
      id INTEGER NOT NULL PRIMARY KEY,
      sha256 TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
      persona_version TEXT NOT NULL,
      persona_blob TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER persona_snapshots_are_unique BEFORE INSERT ON persona_snapshots
      WHEN EXISTS (SELECT 1 FROM persona_snapshots WHERE sha256 = NEW.sha256)
      BEGIN SELECT RAISE(ABORT, 'persona_snapshots is append-only'); END;
    ${appendOnly('persona_snapshots')};
    CREATE TABLE team_members (
      team_id TEXT NOT NULL REFERENCES teams (team_id),
      role_id TEXT NOT NULL,
      member_name TEXT NOT NULL,
      wave INTEGER NOT NULL CHECK (wave >= 0),
      persona_snapshot_id INTEGER NOT NULL REFERENCES persona_snapshots (id),
      joined_at TEXT NOT NULL,
      PRIMARY KEY (team_id, role_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE bridge_payloads (
      team_id TEXT NOT NULL REFERENCES teams (team_id),
      sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
      byte_len INTEGER NOT NULL
        CHECK (byte_len = length(CAST(body AS BLOB)) AND byte_len <= 1048576),
      body TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (team_id, sha256)
    ) STRICT;
    ${writeOnce('bridge_payloads', ['team_id', 'sha256'])};
    CREATE TABLE bridge_messages (
      id INTEGER NOT NULL PRIMARY KEY,
      team_id TEXT NOT NULL REFERENCES teams (team_id),
      recipient TEXT NOT NULL,
      seq INTEGER NOT NULL,
      sender_id TEXT NOT NULL,
      idempotency_key TEXT
        CHECK (length(idempotency_key) = 26 AND idempotency_key NOT GLOB '*[^0-9A-HJKMNP-TV-Z]*'),
      causal_ref INTEGER CHECK (causal_ref BETWEEN 1 AND seq - 1),
      kind TEXT NOT NULL
        CHECK (kind IN ('spawn', 'reply', 'shutdown_req', 'shutdown_resp', 'heartbeat')),
      mtype TEXT CHECK (mtype IN ('team_meeting', 'persona_gap', 'persona_gap_escalation',
        'propose_role', 'propose_role_ack', 'meeting_done', 'meeting_failure_postmortem')),
      meeting_id TEXT,
      turn INTEGER CHECK (turn >= 1),
      wave INTEGER CHECK (wave >= 0),
      payload TEXT NOT NULL CHECK (length(CAST(payload AS BLOB)) <= 8192),
      byte_len INTEGER NOT NULL GENERATED ALWAYS AS (length(CAST(payload AS BLOB))) STORED,
      payload_ref TEXT,
      persona_snapshot_id INTEGER NOT NULL REFERENCES persona_snapshots (id),
      created_at TEXT NOT NULL,
      CHECK (mtype IS NULL OR kind = 'reply'),
      CHECK ((meeting_id IS NULL) = (turn IS NULL)),
      FOREIGN KEY (team_id, sender_id) REFERENCES team_members (team_id, role_id),
      FOREIGN KEY (team_id, recipient) REFERENCES team_members (team_id, role_id),
      FOREIGN KEY (team_id, payload_ref) REFERENCES bridge_payloads (team_id, sha256)
    ) STRICT;
    CREATE UNIQUE INDEX bridge_messages_once ON bridge_messages (team_id, idempotency_key)
      WHERE idempotency_key IS NOT NULL;
    CREATE UNIQUE INDEX bridge_messages_inbox ON bridge_messages (team_id, recipient, seq);
    CREATE INDEX bridge_messages_of ON bridge_messages (team_id, id);
    CREATE INDEX bridge_messages_meeting ON bridge_messages (team_id, meeting_id, id)
      WHERE meeting_id IS NOT NULL;
    CREATE INDEX bridge_messages_heartbeats ON bridge_messages (team_id, sender_id, created_at)
      WHERE kind = 'heartbeat';
    ${appendOnly('bridge_messages')};
    CREATE TRIGGER bridge_messages_inbox_is_gapless BEFORE INSERT ON bridge_messages
      WHEN NEW.seq <> 1 + (SELECT coalesce(max(seq), 0) FROM bridge_messages
        WHERE team_id = NEW.team_id AND recipient = NEW.recipient)
      BEGIN SELECT RAISE(ABORT, 'bridge_messages is gapless and append-only'); END;
    CREATE TRIGGER bridge_messages_are_sent_once BEFORE INSERT ON bridge_messages
      WHEN EXISTS (SELECT 1 FROM bridge_messages
        WHERE team_id = NEW.team_id AND idempotency_key = NEW.idempotency_key)
      BEGIN SELECT RAISE(ABORT, 'bridge_messages is append-only'); END;
    CREATE TABLE bridge_delivery (
      team_id TEXT NOT NULL,
      recipient TEXT NOT NULL,
      last_seq INTEGER NOT NULL CHECK (last_seq >= 1),
      delivered_at TEXT NOT NULL,
      PRIMARY KEY (team_id, recipient),
      FOREIGN KEY (team_id, recipient) REFERENCES team_members (team_id, role_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER bridge_delivery_only_moves_forward BEFORE UPDATE ON bridge_delivery
      WHEN NEW.last_seq < OLD.last_seq
      BEGIN SELECT RAISE(ABORT, 'bridge_delivery only moves forward'); END;
    CREATE TABLE shutdown_requests (
      request_id TEXT NOT NULL PRIMARY KEY,
      team_id TEXT NOT NULL,
      requested_by TEXT NOT NULL,
      recipient TEXT NOT NULL,
      reason TEXT,
      seq INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      FOREIGN KEY (team_id, recipient, seq) REFERENCES bridge_messages (team_id, recipient, seq)
    ) STRICT;
    CREATE TABLE shutdown_responses (
      request_id TEXT NOT NULL PRIMARY KEY REFERENCES shutdown_requests (request_id),
      approve INTEGER NOT NULL CHECK (approve IN (0, 1)),
      reason TEXT CHECK (trim(reason) <> ''),
      seq INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      CHECK (approve = 1 OR reason IS NOT NULL)
    ) STRICT;
    CREATE INDEX shutdown_requests_of ON shutdown_requests (team_id);
    ${writeOnce('shutdown_requests', ['request_id'])};
    ${writeOnce('shutdown_responses', ['request_id'])}`,

    `CREATE TABLE team_audit_log (
      id INTEGER NOT NULL PRIMARY KEY,
      team_id TEXT NOT NULL REFERENCES teams (team_id),
      event_type TEXT NOT NULL CHECK (length(event_type) BETWEEN 1 AND 200),
      payload TEXT CHECK (json_type(payload) = 'object'),
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX team_audit_log_of ON team_audit_log (team_id, event_type, id);
    ${appendOnly('team_audit_log')};
    CREATE TABLE escalation_latches (
      team_id TEXT NOT NULL REFERENCES teams (team_id),
      gap_id TEXT NOT NULL,
      audit_id INTEGER NOT NULL
        REFERENCES team_audit_log (id) DEFERRABLE INITIALLY DEFERRED,
      PRIMARY KEY (team_id, gap_id)
    ) STRICT;
    CREATE TRIGGER escalation_latches_are_set_once BEFORE INSERT ON escalation_latches
      WHEN EXISTS (SELECT 1 FROM escalation_latches
        WHERE team_id = NEW.team_id AND gap_id = NEW.gap_id)
      BEGIN SELECT RAISE(IGNORE); END;
    CREATE TRIGGER escalation_latches_are_never_changed BEFORE UPDATE ON escalation_latches
      BEGIN SELECT RAISE(ABORT, 'escalation_latches is append-only'); END;
    CREATE TRIGGER escalation_latches_are_never_removed BEFORE DELETE ON escalation_latches
      BEGIN SELECT RAISE(ABORT, 'escalation_latches is append-only'); END;
    CREATE TABLE roster_agents (
      agent_id TEXT NOT NULL PRIMARY KEY,
      profile TEXT NOT NULL,
      team_id TEXT NOT NULL REFERENCES teams (team_id),
      proposal_id INTEGER NOT NULL REFERENCES team_audit_log (id),
      consent_id INTEGER NOT NULL REFERENCES team_audit_log (id),
      approved_by TEXT NOT NULL CHECK (trim(approved_by) <> ''),
      created_at TEXT NOT NULL
    ) STRICT;
    ${writeOnce('roster_agents', ['agent_id'])};
    CREATE TRIGGER roster_agents_need_consent BEFORE INSERT ON roster_agents
      WHEN NOT EXISTS (SELECT 1 FROM team_audit_log AS consent
        WHERE consent.id = NEW.consent_id AND consent.team_id = NEW.team_id
          AND consent.event_type = 'roster_consent'
          AND json_type(consent.payload, '$.acked') = 'true'
          AND json_extract(consent.payload, '$.proposal_id') IS NEW.proposal_id)
      BEGIN SELECT RAISE(ABORT, 'roster_agents needs a recorded consent'); END;
    CREATE TABLE outcome_records (
      run_id TEXT NOT NULL PRIMARY KEY,
      json TEXT NOT NULL CHECK (json_valid(json)),
      recorded_at TEXT NOT NULL
    ) STRICT;
    PRAGMA user_version = 1`,
  ],
};
