import { printable } from '@atelier/envelope';
import { TeamError } from '../team-error.ts';
import { GENERIC_WORKER } from './generic-worker.ts';
import type { Persona } from './persona.ts';
import type { Roster } from './roster.ts';

/** The profile of a persona. Throws `PERSONA_NOT_IN_ROSTER` for whatever the roster does not have. */
export const resolvePersona = (roster: Roster, id: unknown): string => named(roster, id).profile;

/** Who does a task: whom it names, who then has to be in the roster, or else a worker without a speciality. */
export function personaOfTask(
  roster: Roster,
  task: { readonly assigned_persona?: unknown; readonly assigned_to?: unknown },
): Persona {
  const id = task.assigned_persona ?? task.assigned_to;
  return id === undefined || id === null ? GENERIC_WORKER : named(roster, id);
}

function named(roster: Roster, id: unknown): Persona {
  const persona = typeof id === 'string' ? roster.get(id) : undefined;
  if (persona) return persona;
  throw new TeamError(
    'PERSONA_NOT_IN_ROSTER',
    `${printable(id, 64)} is not in the roster`,
    `Name one of ${[...roster.ids].join(', ')}.`,
  );
}
