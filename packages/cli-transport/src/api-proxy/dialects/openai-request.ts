import type { Asked, Dialect } from './dialect.ts';
import { bytes, field, tokens, word } from './fields.ts';
import { objectsIn } from './objects-in.ts';

/** Neither `background`, `conversation`, `previous_response_id` nor `prompt`: the provider keeps nothing for a worker. */
const MEMBERS: ReadonlySet<string> = new Set([
  'access_programs',
  'client_metadata',
  'context_management',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'metadata',
  'model',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'request_country',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_p',
  'truncation',
  'user',
]);

/** Members of which only some values are allowed. */
const FIXED: ReadonlyMap<string, ReadonlySet<unknown>> = new Map<string, ReadonlySet<unknown>>([
  ['store', new Set([false])],
  ['service_tier', new Set(['auto', 'default', 'flex'])],
]);

/** What a tool takes and a reply must fit: JSON of any form. */
const FREE: ReadonlySet<string> = new Set(['parameters', 'schema', 'client_metadata', 'metadata']);

const TOOLS: ReadonlySet<unknown> = new Set([
  'apply_patch',
  'custom',
  'function',
  'local_shell',
  'namespace',
]);

export const openaiObjection: Dialect['objection'] = (body) => {
  for (const name of Object.keys(Object(body))) {
    if (!MEMBERS.has(name)) return `"${name}" may not be asked for`;
    if (FIXED.get(name)?.has(field(body, name)) === false)
      return `"${name}" may not be asked for with this value`;
  }
  for (const one of objectsIn(body, FREE)) {
    const type = word(field(one, 'type'));
    if (type?.startsWith('mcp_') || type === 'item_reference')
      return `"${type}" may not be asked for`;
    if (isElsewhere(one)) return 'images and files must be in the request';
    const tools = field(one, 'tools');
    const strange = (Array.isArray(tools) ? tools : []).find((tool) => !isTool(tool));
    if (strange !== undefined) return 'only tools that the client runs may be offered';
  }
  return undefined;
};

function isTool(tool: unknown): boolean {
  const type = field(tool, 'type');
  // A search among deferred tools; the provider may only do its part when the client does it.
  if (type === 'tool_search') return field(tool, 'execution') === 'client';
  return TOOLS.has(type);
}

const isElsewhere = (one: unknown): boolean =>
  ['file_url', 'file_id'].some((name) => typeof field(one, name) === 'string') ||
  (imageIn(one) !== undefined && !/^data:/iu.test(imageIn(one) ?? ''));

const imageIn = (one: unknown): string | undefined => {
  const image = field(one, 'image_url');
  return word(image) ?? word(field(image, 'url'));
};

export function openaiAsked(body: unknown): Asked {
  let embedded = 0;
  for (const one of objectsIn(field(body, 'input'), FREE))
    embedded += bytes(imageIn(one)) + bytes(field(one, 'file_data'));
  return {
    model: word(field(body, 'model')),
    streams: field(body, 'stream') === true,
    maxOutput: tokens(field(body, 'max_output_tokens')),
    embedded,
  };
}

export const isOpenaiModel: Dialect['isWithin'] = (asked, given) => asked === given;
