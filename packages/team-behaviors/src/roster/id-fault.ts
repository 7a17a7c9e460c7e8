import { GENERIC_WORKER } from './generic-worker.ts';
import { PERSONA_ID } from './persona.ts';

/** Who does a task that names nobody, who leads a team, and the people beside it. */
const RESERVED: ReadonlySet<string> = new Set([GENERIC_WORKER.id, 'team-lead', 'human']);

/** In a chat these stand for the same persona, joined once more. */
const NUMBERED = /^(.+)-[2-4]$/u;

/** Why an id can not be given beside others; undefined for one that can. */
export function idFault(
  id: string,
  others: { has(id: string): boolean },
):
  | 'is no id of a persona'
  | 'is reserved'
  | 'is there twice'
  | 'could be taken for another'
  | undefined {
  if (!PERSONA_ID.test(id)) return 'is no id of a persona';
  if (RESERVED.has(NUMBERED.exec(id)?.[1] ?? id)) return 'is reserved';
  if (others.has(id)) return 'is there twice';
  const base = NUMBERED.exec(id)?.[1];
  const confusable = [...(base === undefined ? [] : [base]), `${id}-2`, `${id}-3`, `${id}-4`];
  return confusable.some((other) => others.has(other)) ? 'could be taken for another' : undefined;
}
