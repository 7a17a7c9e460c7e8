/** Frozen text: a later change is a later migration, never an edit. */
export const durable: { readonly name: string; readonly sql: readonly string[] } = {
  name: '0003-durable',
  sql: [
    'ALTER TABLE events ADD COLUMN hash TEXT',
    'DROP TRIGGER events_are_never_changed',
    `WITH RECURSIVE chain (run_id, seq, hash) AS (
      SELECT run_id, seq, chain_link(run_id, payload_json) FROM events WHERE seq = 1
      UNION ALL
      SELECT events.run_id, events.seq, chain_link(chain.hash, events.payload_json)
        FROM chain JOIN events ON events.run_id = chain.run_id AND events.seq = chain.seq + 1
    )
    UPDATE events SET hash = chain.hash FROM chain
      WHERE events.run_id = chain.run_id AND events.seq = chain.seq`,
    `CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    `CREATE TRIGGER events_are_chained BEFORE INSERT ON events WHEN NEW.hash IS NULL
      BEGIN SELECT RAISE(ABORT, 'events are append-only, each with its hash'); END`,
    'ALTER TABLE attempts ADD COLUMN spawned_at TEXT',
    'ALTER TABLE attempts ADD COLUMN worker_json TEXT',
    'ALTER TABLE attempts ADD COLUMN replied_at TEXT',
    'ALTER TABLE attempts ADD COLUMN content_key TEXT',
    'CREATE INDEX attempts_by_content ON attempts (content_key) WHERE content_key IS NOT NULL',
    'ALTER TABLE tasks ADD COLUMN replayed_run_id TEXT',
    'ALTER TABLE tasks ADD COLUMN replayed_attempt INTEGER',
  ],
};
