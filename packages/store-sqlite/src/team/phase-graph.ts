import { printable } from '@atelier/envelope';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, statement } from '../statement.ts';
import type { Phase } from './phase-catalogue.ts';

const everyPhase = statement((tables, _slot: Slot<object>) =>
  tables.selectFrom('phases').selectAll().orderBy('position'),
);

const after = statement((tables, slot: Slot<{ readonly from_phase: string }>) =>
  tables
    .selectFrom('phase_transitions')
    .select('to_phase')
    .where('from_phase', '=', slot('from_phase')),
);

/** The phases in their order. */
export const readPhases = (connection: Connection): readonly Phase[] =>
  connection
    .rows(everyPhase, {})
    .map(({ name, skill, description, is_terminal, from_anywhere }) => ({
      ...{ name, skill, description },
      ...{ terminal: is_terminal === 1, fromAnywhere: from_anywhere === 1 },
    }));

/** What may follow a phase, in the order of the catalogue. Nothing follows the end, not even a diagnosis. */
export function nextPhases(connection: Connection, from: string): readonly string[] {
  const phases = readPhases(connection);
  if (phases.some(({ name, terminal }) => name === from && terminal)) return [];
  const edges = new Set(
    connection.rows(after, { from_phase: from }).map(({ to_phase }) => to_phase),
  );
  return phases
    .filter(({ name, fromAnywhere }) => edges.has(name) || (fromAnywhere && name !== from))
    .map(({ name }) => name);
}

/** The name of a phase of the catalogue. Throws `STORE_NO_SUCH_PHASE`. */
export function phaseNamed(connection: Connection, name: string): string {
  const known = readPhases(connection).map((phase) => phase.name);
  if (known.includes(name)) return name;
  throw new StoreError(
    'STORE_NO_SUCH_PHASE',
    `there is no phase ${printable(name, 60)}`,
    `Nothing was written. The phases are ${known.join(', ')}.`,
  );
}

/** A step that the catalogue does not know. */
export const illegalPhase = (from: string, to: string, legal: readonly string[]): StoreError =>
  new StoreError(
    'STORE_PHASE_ILLEGAL',
    `${to} does not follow ${from}`,
    legal.length === 0
      ? `Nothing was written. ${from} is the end; begin another project, or force the phase.`
      : `Nothing was written. What may follow is ${legal.join(', ')}.`,
  );
