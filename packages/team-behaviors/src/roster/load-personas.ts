import { printable } from '@atelier/envelope';
import { isObject } from '../json-object.ts';
import { byCodePoint } from '../text-order.ts';
import type { Persona } from './persona.ts';
import { rosterInvalid } from './roster.ts';

/** A file of a user's own personas: one object `{ agent_id, name, role_name, profile }`, or a list of them, as JSON. */
export interface PersonaFile {
  readonly name: string;
  readonly text: string;
}

const KEYS = ['agent_id', 'name', 'role_name', 'profile'] as const satisfies readonly string[];

const FILE = 1_048_576;

const PERSONAS = 1000;

const PROFILE = 8000;

/**
 * The personas of a user's files, in the order of the files' names. Throws one `ROSTER_INVALID` with everything that is
 * wrong, by file: what is no JSON, a key that is missing, unknown (`x-…` may be there) or no text. Ids are judged by `rosterOf`.
 */
export function loadPersonas(files: readonly PersonaFile[]): readonly Persona[] {
  const faults: string[] = [];
  const personas: Persona[] = [];
  for (const { name, text } of files.toSorted((a, b) => byCodePoint(a.name, b.name)))
    for (const [index, entry] of entriesOf(text, (fault) => faults.push(at(name, fault)))) {
      const before = faults.length;
      for (const fault of faultsOf(entry))
        faults.push(at(name, index === undefined ? fault : `persona ${index + 1}: ${fault}`));
      if (faults.length === before && isObject(entry)) personas.push(personaOf(entry));
    }
  if (personas.length > PERSONAS) faults.push(`there are more than ${PERSONAS} personas`);
  if (faults.length > 0) throw rosterInvalid(faults);
  return personas;
}

const at = (file: string, fault: string): string => `${printable(file, 100)}: ${fault}`;

function entriesOf(
  text: string,
  fault: (what: string) => void,
): readonly (readonly [index: number | undefined, entry: unknown])[] {
  if (text.length > FILE) fault('is longer than 1 MiB');
  else
    try {
      const value: unknown = JSON.parse(text);
      return Array.isArray(value)
        ? value.map((entry, index) => [index, entry] as const)
        : [[undefined, value]];
    } catch (error) {
      fault(`is no JSON: ${printable(error)}`);
    }
  return [];
}

function* faultsOf(entry: unknown): Generator<string> {
  if (!isObject(entry)) return yield `is no object with ${KEYS.join(', ')}`;
  for (const key of KEYS) {
    const value = entry[key];
    const limit = key === 'profile' ? PROFILE : 100;
    if (value === undefined) yield `${key} is missing`;
    else if (typeof value !== 'string' || value.trim() === '') yield `${key} is no text`;
    else if (value.length > limit) yield `${key} is longer than ${limit} characters`;
  }
  for (const key of Object.keys(entry))
    if (!KEYS.some((known) => known === key) && !key.startsWith('x-'))
      yield `${printable(key, 40)} is no key of a persona`;
}

const personaOf = (entry: { readonly [key: string]: unknown }): Persona => ({
  id: String(entry['agent_id']),
  name: String(entry['name']),
  role: String(entry['role_name']),
  profile: String(entry['profile']).toWellFormed(),
});
