import type { Usage } from '@atelier/engine';
import { anthropicAsked, anthropicObjection, isAnthropicModel } from './anthropic-request.ts';
import type { Dialect } from './dialect.ts';
import { bytes, field, knownOf, tokens } from './fields.ts';

const TARGET = /^\/v1\/messages(?:\?[\w=&.-]{0,200})?$/u;

const ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const HEADERS =
  /^(?:accept|content-type|user-agent|anthropic-(?:beta|version|dangerous-direct-browser-access)|x-app|x-client-request-id|x-claude-code-(?:session|agent|parent-agent)-id|x-stainless-[a-z-]+)$/u;

/** Deltas of what the model writes. What it thinks unseen is in its signature, enciphered. */
const WRITTEN = ['text', 'thinking', 'partial_json', 'signature'];

/** The messages API: `POST /v1/messages`. */
export const ANTHROPIC: Dialect = Object.freeze<Dialect>({
  pathOf: (target) => (TARGET.test(target) ? target : undefined),
  isHeader: (name) => HEADERS.test(name),
  objection: anthropicObjection,
  asked: anthropicAsked,
  isWithin: isAnthropicModel,
  told(record) {
    const usage = field(field(record, 'message'), 'usage') ?? field(record, 'usage');
    const delta = field(record, 'delta');
    const pieces = WRITTEN.map((name) => bytes(field(delta, name)));
    return {
      usage: counted(usage),
      written: pieces.reduce((sum, piece) => sum + piece, 0),
      isLast: field(record, 'type') === 'message_delta',
    };
  },
  usageOf: (answer) => counted(field(answer, 'usage')),
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: ERRORS.get(status) ?? 'api_error', message },
  }),
});

const counted = (usage: unknown): Usage =>
  knownOf({
    inputTokens: tokens(field(usage, 'input_tokens')),
    outputTokens: tokens(field(usage, 'output_tokens')),
    cacheReadTokens: tokens(field(usage, 'cache_read_input_tokens')),
    cacheWriteTokens: tokens(field(usage, 'cache_creation_input_tokens')),
    costUsd: undefined,
  });
