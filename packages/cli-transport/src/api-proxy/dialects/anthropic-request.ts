import type { Asked, Dialect } from './dialect.ts';
import { bytes, field, tokens, word } from './fields.ts';
import { objectsIn } from './objects-in.ts';

/** Neither `container`, `mcp_servers` and `fallbacks`, nor what is billed at another rate: `speed`, `service_tier`. */
const MEMBERS: ReadonlySet<string> = new Set([
  'cache_control',
  'context_management',
  'diagnostics',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'output_config',
  'output_format',
  'safeguards',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]);

/** What the model gave to a tool, and what a tool takes: JSON of any form. */
const FREE: ReadonlySet<string> = new Set(['input', 'input_schema', 'schema', 'input_examples']);

/** Of what has a date in its type: what the client runs by itself, and what shortens a conversation. */
const OF_THE_CLIENT =
  /^(?:bash|text_editor|computer|memory|tool_search_tool_(?:bm25|regex)|clear_[a-z_]+|compact)_\d{8}$/u;
const DATED = /_\d{8}$/u;

const SOURCES: ReadonlySet<unknown> = new Set(['base64', 'text', 'content']);

export const anthropicObjection: Dialect['objection'] = (body) => {
  for (const name of Object.keys(Object(body)))
    if (!MEMBERS.has(name)) return `"${name}" may not be asked for`;
  for (const one of objectsIn(body, FREE)) {
    const type = word(field(one, 'type'));
    if (type !== undefined && isOfTheProvider(type)) return `"${type}" may not be asked for`;
    const source = field(field(one, 'source'), 'type');
    if (source !== undefined && !SOURCES.has(source))
      return 'images and documents must be in the request';
    const tools = field(one, 'tools');
    const strange = (Array.isArray(tools) ? tools : []).find((tool) => !isTool(tool));
    if (strange !== undefined) return 'only tools that the client runs may be offered';
  }
  return undefined;
};

const isOfTheProvider = (type: string): boolean =>
  (DATED.test(type) && !OF_THE_CLIENT.test(type)) ||
  type.startsWith('mcp_') ||
  type === 'container_upload';

function isTool(tool: unknown): boolean {
  const type = field(tool, 'type');
  if (type === undefined || type === null || type === 'custom')
    return typeof field(tool, 'input_schema') === 'object';
  return typeof type === 'string' && OF_THE_CLIENT.test(type);
}

export function anthropicAsked(body: unknown): Asked {
  let embedded = 0;
  for (const one of objectsIn(field(body, 'messages'), FREE))
    if (field(one, 'type') === 'base64') embedded += bytes(field(one, 'data'));
  return {
    model: word(field(body, 'model')),
    streams: field(body, 'stream') === true,
    maxOutput: tokens(field(body, 'max_tokens')),
    embedded,
  };
}

/** Small questions of the client's own, at a tenth of the price of any other. */
const HELPER = 'claude-haiku-5-5';

/** A full name is told from an alias, which only the client can resolve, by its version. */
export const isAnthropicModel: Dialect['isWithin'] = (asked, given) =>
  !/\d/u.test(given) || plain(asked) === plain(given) || plain(asked) === HELPER;

const plain = (model: string): string =>
  model
    .toLowerCase()
    .replace(/\[\w+\]$/u, '')
    .replace(/-\d{8}$/u, '');
