import type { Usage } from '@atelier/engine';
import type { Dialect } from './dialect.ts';
import { bytes, field, knownOf, tokens } from './fields.ts';
import { isOpenaiModel, openaiAsked, openaiObjection } from './openai-request.ts';

const TARGET = /^(?:\/v1)?(\/responses(?:\?[\w=&.-]{0,200})?)$/u;

const ERRORS: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
]);

const HEADERS =
  /^(?:accept|content-type|user-agent|originator|version|openai-beta|(?:session|thread|conversation)[-_]id|x-client-request-id|x-codex-(?:beta-features|window-id|turn-metadata|turn-state|parent-thread-id|installation-id)|x-openai-(?:subagent|internal-codex-responses-lite))$/u;

const LAST: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** The responses API: `POST /responses` below a base URL that ends with the version, with or without it inside. */
export const OPENAI: Dialect = Object.freeze<Dialect>({
  pathOf: (target) => TARGET.exec(target)?.[1],
  isHeader: (name) => HEADERS.test(name),
  objection: openaiObjection,
  asked: openaiAsked,
  isWithin: isOpenaiModel,
  told(record) {
    const type = field(record, 'type');
    const isDelta = typeof type === 'string' && type.endsWith('.delta');
    return {
      usage: counted(field(field(record, 'response'), 'usage')),
      written: isDelta ? bytes(field(record, 'delta')) : 0,
      isLast: LAST.has(type),
    };
  },
  usageOf: (answer) => counted(field(answer, 'usage')),
  errorBody: (status, message) => ({
    error: {
      message,
      type: ERRORS.get(status) ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
      param: null,
      code: null,
    },
  }),
});

/** Its input includes what was read from the cache and written to it, which are told apart here. */
function counted(usage: unknown): Usage {
  const input = tokens(field(usage, 'input_tokens'));
  const details = field(usage, 'input_tokens_details');
  const cacheReadTokens = tokens(field(details, 'cached_tokens'));
  const cacheWriteTokens = tokens(field(details, 'cache_write_tokens'));
  const apart = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return knownOf({
    inputTokens: input === undefined ? undefined : Math.max(0, input - apart),
    outputTokens: tokens(field(usage, 'output_tokens')),
    ...{ cacheReadTokens, cacheWriteTokens, costUsd: undefined },
  });
}
