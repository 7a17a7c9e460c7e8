/** Frozen text: a later change is a later migration, never an edit. */
export const checkedWork: { readonly name: string; readonly sql: readonly string[] } = {
  name: '0002-checked-work',
  sql: [
    'ALTER TABLE attempts ADD COLUMN findings TEXT',
    'ALTER TABLE attempts ADD COLUMN reviews_key TEXT',
    'ALTER TABLE attempts ADD COLUMN reviews_attempt INTEGER',
    `CREATE INDEX attempts_by_review ON attempts (run_id, reviews_key, reviews_attempt)
      WHERE reviews_key IS NOT NULL`,
    `CREATE TABLE attempt_stages (
      run_id TEXT NOT NULL,
      task_key TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      stage TEXT NOT NULL,
      passed_at TEXT NOT NULL,
      evidence_json TEXT,
      PRIMARY KEY (run_id, task_key, attempt, stage),
      FOREIGN KEY (run_id, task_key, attempt) REFERENCES attempts (run_id, task_key, attempt)
    ) STRICT`,
    `CREATE TABLE changes (
      run_id TEXT NOT NULL,
      task_key TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      position INTEGER NOT NULL,
      path TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('added', 'modified', 'deleted', 'type-changed')),
      insertions INTEGER CHECK (insertions >= 0),
      deletions INTEGER CHECK (deletions >= 0),
      PRIMARY KEY (run_id, task_key, attempt, position),
      FOREIGN KEY (run_id, task_key, attempt) REFERENCES attempts (run_id, task_key, attempt)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE products (
      run_id TEXT NOT NULL,
      task_key TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      path TEXT NOT NULL,
      sha256 TEXT,
      bytes INTEGER CHECK (bytes >= 0),
      claimed TEXT,
      PRIMARY KEY (run_id, task_key, attempt, path),
      FOREIGN KEY (run_id, task_key, attempt) REFERENCES attempts (run_id, task_key, attempt)
    ) STRICT, WITHOUT ROWID`,
  ],
};
