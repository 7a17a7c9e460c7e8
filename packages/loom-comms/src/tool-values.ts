import { listOf, objectOf, textOf } from './json-value.ts';

/** Nothing that is longer, or draws nothing, is taken for a name. */
const NAME = /^[^\p{C}]{1,80}$/u;
const SEND_TOOL = 'send_message';

const nameOf = (value: unknown): string | undefined =>
  NAME.test(textOf(value)) ? textOf(value) : undefined;

const namesOf = (value: unknown): readonly string[] =>
  listOf(value).flatMap((one) => nameOf(one) ?? []);

/** The name that `register` gave; undefined where there is none. */
export const assignedName = (value: unknown): string | undefined => nameOf(objectOf(value)['name']);

/** Who has a message that was sent. */
export const recipientsOf = (value: unknown): readonly string[] =>
  namesOf(objectOf(value)['recipients']);

/** The members of one channel in what `list_channels` gave. */
export const membersOf = (value: unknown, channel: string): readonly string[] =>
  listOf(value)
    .map(objectOf)
    .filter(({ name }) => name === channel)
    .flatMap(({ members }) => namesOf(members));

/** The longest body, out of what `tools/list` gave. */
export function bodyCapOf(value: unknown): number | undefined {
  const tool = listOf(objectOf(value)['tools'])
    .map(objectOf)
    .find(({ name }) => name === SEND_TOOL);
  const { properties } = objectOf(tool?.['inputSchema']);
  return capOf(objectOf(objectOf(properties)['body'])['maxLength']);
}

/** A number of UTF-16 units that a body can have; undefined for anything that is none. */
export const capOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
