import { createHash } from 'node:crypto';
import { core } from './migrations/0001-core.ts';
import { checkedWork } from './migrations/0002-checked-work.ts';

/** A step of the schema: statements that are run in order, as one transaction. */
export interface Migration {
  readonly name: string;
  readonly sql: readonly string[];
}

/** Every step of this version, oldest first. */
export const MIGRATIONS: readonly Migration[] = [core, checkedWork];

/** SHA-256 over a migration's statements, in hex. */
export const migrationChecksum = ({ sql }: Migration): string =>
  createHash('sha256').update(sql.join(';\n')).digest('hex');
