import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import { addressOf } from './address.ts';
import { nextId } from './next-id.ts';
import type { SnapshotRow } from './schema.ts';

/** What an agent is told it is. */
export interface Persona {
  readonly version: string;
  readonly text: string;
}

/** A persona as it is kept: a text is kept once, with the version it first came with. */
export interface PersonaSnapshot extends Persona {
  readonly id: number;
  /** Of the text's UTF-8 bytes, in lower-case hex. */
  readonly sha256: string;
}

const byAddress = statement((tables, slot: Slot<Pick<SnapshotRow, 'sha256'>>) =>
  tables.selectFrom('persona_snapshots').selectAll().where('sha256', '=', slot('sha256')),
);

const byId = statement((tables, slot: Slot<Pick<SnapshotRow, 'id'>>) =>
  tables.selectFrom('persona_snapshots').selectAll().where('id', '=', slot('id')),
);

const insertSnapshot = statement((tables, slot: Slot<SnapshotRow>) =>
  tables.insertInto('persona_snapshots').values({
    id: slot('id'),
    sha256: slot('sha256'),
    persona_version: slot('persona_version'),
    persona_blob: slot('persona_blob'),
    created_at: slot('created_at'),
  }),
);

/** The id under which a persona is kept, from now on if it was not, in the caller's transaction. */
export function keepPersona(
  connection: Connection,
  { version, text }: Persona,
  created_at: string,
): number {
  const persona_blob = text.toWellFormed();
  const sha256 = addressOf(persona_blob);
  const [known] = connection.rows(byAddress, { sha256 });
  if (known) return known.id;
  const id = nextId(connection, 'persona_snapshots');
  const persona_version = version.toWellFormed();
  connection.change(insertSnapshot, { id, sha256, persona_version, persona_blob, created_at });
  return id;
}

/** A kept persona by its id. */
export function readSnapshot(connection: Connection, id: number): PersonaSnapshot | undefined {
  const [row] = connection.rows(byId, { id });
  if (!row) return undefined;
  const { sha256, persona_version, persona_blob } = row;
  return { id, sha256, version: persona_version, text: persona_blob };
}
