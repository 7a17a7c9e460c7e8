import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { chainLink } from './chain.ts';
import { core } from './migrations/0001-core.ts';
import { checkedWork } from './migrations/0002-checked-work.ts';
import { durable } from './migrations/0003-durable.ts';
import { reviewing } from './migrations/0004-reviewing.ts';
import { team } from './migrations/0005-team.ts';

/** A step of the schema: statements that are run in order, as one transaction. */
export interface Migration {
  readonly name: string;
  readonly sql: readonly string[];
}

/** Every step of this version, oldest first. */
export const MIGRATIONS: readonly Migration[] = [core, checkedWork, durable, reviewing, team];

/** SHA-256 over a migration's statements, in hex. */
export const migrationChecksum = ({ sql }: Migration): string =>
  createHash('sha256').update(sql.join(';\n')).digest('hex');

/** Gives a connection the functions that migrations call beside those of SQLite. What they compute is frozen too. */
export function provideFunctions(database: Database): void {
  database.function('chain_link', { deterministic: true }, chainLink);
}
