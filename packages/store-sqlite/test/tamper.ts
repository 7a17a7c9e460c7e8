import SqliteDatabase from 'better-sqlite3';

/** Changes a file as another program would, without the triggers that hold the log append-only. */
export function tamper(path: string, sql: string): void {
  const database = new SqliteDatabase(path);
  const triggers = database
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
    )
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(trigger.sql);
  database.close();
}
