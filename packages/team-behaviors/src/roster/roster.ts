import { printable } from '@atelier/envelope';
import { TeamError } from '../team-error.ts';
import { byCodePoint } from '../text-order.ts';
import { idFault } from './id-fault.ts';
import type { Persona } from './persona.ts';

/** Who can be dispatched. */
export interface Roster {
  /** Sorted. */
  readonly ids: ReadonlySet<string>;
  /** By id. */
  readonly personas: readonly Persona[];
  get(id: string): Persona | undefined;
}

/**
 * A roster of personas. Throws `ROSTER_INVALID` for an id that is malformed, reserved or given twice, or that is another
 * one with a number from 2 to 4: those stand for the same persona in a chat.
 */
export function rosterOf(personas: Iterable<Persona>): Roster {
  const byId = new Map<string, Persona>();
  const faults: string[] = [];
  for (const persona of personas) {
    const fault = idFault(persona.id, byId);
    if (fault === undefined) byId.set(persona.id, persona);
    else faults.push(`${printable(persona.id, 64)} ${fault}`);
  }
  if (faults.length > 0) throw rosterInvalid(faults);
  const sorted = [...byId.values()].sort((one, other) => byCodePoint(one.id, other.id));
  return {
    ids: new Set(sorted.map(({ id }) => id)),
    personas: sorted,
    get: (id) => byId.get(id),
  };
}

/** Everything that is wrong with a roster, in one error; at most 20 faults are told. */
export function rosterInvalid(faults: readonly string[]): TeamError {
  const told = faults.slice(0, 20);
  const more = faults.length - told.length;
  return new TeamError(
    'ROSTER_INVALID',
    `the roster can not be used: ${told.join('; ')}${more === 0 ? '' : `; and ${more} more`}`,
    'An id is 2 to 62 lower-case letters, digits and dashes, a letter first, and is there once.',
  );
}
