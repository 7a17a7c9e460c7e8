import { CLOSURE_TOKENS } from './closure.ts';
import type { JsonValue } from './json.ts';

/**
 * A JSON Schema to hand to an agent CLI, fresh on every call and always the same when serialised. It steers the model;
 * it does not replace `validateReply`: lengths, references, the abandon line and identity are not in it. `task_id` has
 * one type, because CLIs that compile the schema strictly refuse a union.
 */
export function replyJsonSchema(): { [key: string]: JsonValue } {
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'task_result' },
      task_id: { type: 'string' },
      attempt: { type: 'integer' },
      status: { type: 'string', enum: [...CLOSURE_TOKENS].sort() },
      artifacts: { type: 'array', items: { type: 'object' } },
      notes_md: { type: 'string' },
    },
    required: ['type', 'task_id', 'attempt', 'status', 'artifacts', 'notes_md'],
    additionalProperties: true,
  };
}
