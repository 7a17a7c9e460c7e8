import type { Persona } from './persona.ts';
import { BUILDING } from './personas/building.ts';
import { CHECKING } from './personas/checking.ts';
import { LEADING } from './personas/leading.ts';
import { RUNNING } from './personas/running.ts';
import { personaFrom } from './profile.ts';

/** The personas that are always there. */
export const CORE_PERSONAS: readonly Persona[] = Object.freeze(
  [...LEADING, ...BUILDING, ...RUNNING, ...CHECKING].map(personaFrom),
);
