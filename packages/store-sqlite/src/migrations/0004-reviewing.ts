/** Frozen text: a later change is a later migration, never an edit. */
export const reviewing: { readonly name: string; readonly sql: readonly string[] } = {
  name: '0004-reviewing',
  sql: [
    'ALTER TABLE tasks RENAME COLUMN status TO known_status',
    `ALTER TABLE tasks ADD COLUMN status TEXT NOT NULL DEFAULT 'pending'
      CHECK (status IN ('pending', 'running', 'reviewing', 'accepted', 'complete', 'abandoned',
        'held'))`,
    'UPDATE tasks SET status = known_status',
    `UPDATE tasks SET status = 'reviewing' WHERE status = 'running' AND EXISTS (
      SELECT 1 FROM events
        WHERE events.run_id = tasks.run_id AND events.type = 'review.requested'
          AND CASE WHEN json_valid(payload_json)
            THEN CAST(json_extract(payload_json, '$.taskId') AS TEXT) = tasks.task_key
              AND json_extract(payload_json, '$.attempt') = tasks.attempts END
    )`,
    'ALTER TABLE tasks DROP COLUMN known_status',
  ],
};
