import { replyJsonSchema } from '@atelier/envelope';

type Schema = Readonly<Record<string, unknown>>;

/** What is worth telling of an artifact. */
const ARTIFACT: Schema = {
  type: 'object',
  properties: { kind: { type: 'string' }, path: { type: 'string' } },
};

/**
 * The schema of a reply in the form that strict structured output takes: every object names all its fields, all of them
 * are required, and nothing else is allowed. It guides the model; whether a reply holds is judged elsewhere.
 */
export const strictReplySchema = (): Schema => strict(replyJsonSchema() as Schema);

function strict(schema: Schema): Schema {
  const { const: only, items, properties, ...rest } = schema;
  if (schema['type'] === 'object') {
    const fields = Object.entries(asSchema(properties ?? ARTIFACT['properties']));
    return {
      ...rest,
      properties: Object.fromEntries(
        fields.map(([name, field]) => [name, strict(asSchema(field))]),
      ),
      required: fields.map(([name]) => name),
      additionalProperties: false,
    };
  }
  if (schema['type'] === 'array') return { ...rest, items: strict(asSchema(items)) };
  return only === undefined ? schema : { ...rest, enum: [only] };
}

const asSchema = (value: unknown): Schema => value as Schema;
