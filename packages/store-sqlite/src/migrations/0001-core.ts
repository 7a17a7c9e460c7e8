/** Frozen text: a later change is a later migration, never an edit. */
export const core: { readonly name: string; readonly sql: readonly string[] } = {
  name: '0001-core',
  sql: [
    `CREATE TABLE runs (
      run_id TEXT NOT NULL PRIMARY KEY,
      policy_json TEXT NOT NULL,
      started_at TEXT NOT NULL,
      resumed_at TEXT,
      finished_at TEXT,
      verdict TEXT CHECK (verdict IN ('complete', 'abandoned', 'parked', 'interrupted')),
      cause TEXT,
      detail TEXT,
      resume_at REAL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE tasks (
      run_id TEXT NOT NULL REFERENCES runs (run_id),
      task_key TEXT NOT NULL,
      id ANY NOT NULL CHECK (typeof(id) IN ('integer', 'real', 'text')),
      position INTEGER NOT NULL,
      title TEXT,
      parallel_group INTEGER,
      created_at TEXT NOT NULL,
      assigned_persona TEXT,
      status TEXT NOT NULL
        CHECK (status IN ('pending', 'running', 'accepted', 'complete', 'abandoned', 'held')),
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      last_attempt_at TEXT,
      closed_at TEXT,
      abandon_category TEXT
        CHECK (abandon_category IN ('scope', 'blocked', 'conflict', 'capacity', 'stale_rules',
          'no_consensus', 'destructive_rejected', 'tests_unrecoverable')),
      upstream_key TEXT,
      abandoned_ack_at TEXT,
      PRIMARY KEY (run_id, task_key)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX tasks_by_wave ON tasks (run_id, parallel_group, created_at, id)',
    `CREATE TABLE edges (
      run_id TEXT NOT NULL,
      task_key TEXT NOT NULL,
      upstream_key TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('explicit', 'reads', 'review')),
      PRIMARY KEY (run_id, task_key, upstream_key),
      FOREIGN KEY (run_id, task_key) REFERENCES tasks (run_id, task_key)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE task_paths (
      run_id TEXT NOT NULL,
      task_key TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('reads', 'writes', 'must_produce')),
      position INTEGER NOT NULL,
      path TEXT NOT NULL,
      PRIMARY KEY (run_id, task_key, kind, position),
      FOREIGN KEY (run_id, task_key) REFERENCES tasks (run_id, task_key)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE attempts (
      run_id TEXT NOT NULL,
      task_key TEXT NOT NULL,
      attempt INTEGER NOT NULL CHECK (attempt >= 1),
      nonce TEXT NOT NULL,
      started_at TEXT NOT NULL,
      ended_at TEXT,
      ending TEXT
        CHECK (ending IN ('accepted', 'done', 'abandoned', 'held', 'rejected', 'failed')),
      cause TEXT,
      detail TEXT,
      reply_json TEXT,
      usage_json TEXT,
      evidence_json TEXT,
      PRIMARY KEY (run_id, task_key, attempt),
      FOREIGN KEY (run_id, task_key) REFERENCES tasks (run_id, task_key)
    ) STRICT`,
    `CREATE TABLE events (
      run_id TEXT NOT NULL,
      seq INTEGER NOT NULL CHECK (seq >= 1),
      type TEXT NOT NULL,
      at TEXT NOT NULL,
      payload_json TEXT NOT NULL,
      PRIMARY KEY (run_id, seq)
    ) STRICT`,
    `CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    `CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    `CREATE TRIGGER events_are_gapless BEFORE INSERT ON events
      WHEN NEW.seq <> 1 + (SELECT coalesce(max(seq), 0) FROM events WHERE run_id = NEW.run_id)
      BEGIN SELECT RAISE(ABORT, 'events are gapless and append-only'); END`,
    `CREATE TABLE escalations (
      run_id TEXT NOT NULL,
      key TEXT NOT NULL,
      seq INTEGER NOT NULL,
      task_key TEXT NOT NULL,
      payload_json TEXT NOT NULL,
      raised_at TEXT NOT NULL,
      delivered_at TEXT,
      PRIMARY KEY (run_id, key),
      FOREIGN KEY (run_id, task_key) REFERENCES tasks (run_id, task_key)
    ) STRICT`,
    'CREATE INDEX escalations_in_order ON escalations (run_id, seq)',
  ],
};
