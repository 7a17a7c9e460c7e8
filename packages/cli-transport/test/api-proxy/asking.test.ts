import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { attemptToken } from '../../src/api-proxy/attempt-token.ts';
import type { DialectName } from '../../src/api-proxy/dialects/dialect.ts';
import { KEY, rig, says, TOKEN } from './rig.ts';

interface Sent {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

/** What the real program has sent, its longer texts cut. */
const sentBy = async (name: string): Promise<Sent> =>
  JSON.parse(await readFile(join(import.meta.dirname, `fixtures/${name}.json`), 'utf8'));

const shown = (dialect: DialectName, token: string = TOKEN) =>
  dialect === 'openai' ? { authorization: `Bearer ${token}` } : { 'x-api-key': token };

it.each<[string, DialectName, string]>([
  ['claude-2.1.332', 'anthropic', 'claude-sonnet-5-5'],
  ['codex-0.171.0', 'openai', 'gpt-6.2-sol'],
  ['codex-0.171.0-tools', 'openai', 'gpt-5.2-codex'],
])(
  'what %s really sends passes as it is, with each of its headers',
  async (name, dialect, model) => {
    const { call, up } = await rig({ dialect, terms: { model } });
    const { path, headers, body } = await sentBy(name);
    const text = JSON.stringify(body);
    const answer = await call({ path, headers: { ...headers, ...shown(dialect) }, body: text });
    expect(answer.status, answer.body).toBe(200);
    expect(up.seen[0]?.body).toBe(text);
    expect(up.seen[0]?.headers).toMatchObject(headers);
  },
);

const CLIENT_TOOL = { name: 'x', input_schema: { type: 'object' } };
const user = (block: unknown) => ({ messages: [{ role: 'user', content: [block] }] });

it.each<[string, object]>([
  ['a container', { container: 'c' }],
  ['servers', { mcp_servers: [{ type: 'url', url: 'https://example.org' }] }],
  ['another rate', { speed: 'fast' }],
  ['another tier', { service_tier: 'priority' }],
  ['other models to fall back on', { fallbacks: [{ model: 'claude-opus-5-5' }] }],
  ['a search', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ['a fetch among others', { tools: [CLIENT_TOOL, { type: 'web_fetch_20250910', name: 'f' }] }],
  ['code that the provider runs', { tools: [{ type: 'code_execution_20250825', name: 'c' }] }],
  ['a tool without a schema', { tools: [{ name: 'x' }] }],
  ['a set of tools', { tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }] }],
  [
    'a tool that comes later',
    user({ type: 'tool_addition', tool: { type: 'web_fetch_20260101' } }),
  ],
  ['tools that come later', user({ type: 'tool_addition', tools: [{ type: 'elsewhere' }] })],
  ['an image elsewhere', user({ type: 'image', source: { type: 'url', url: 'http://a' } })],
  ['a document of the account', user({ type: 'document', source: { type: 'file', file_id: 'f' } })],
  [
    'an image elsewhere, in a result',
    user({ type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] }),
  ],
])('anthropic: %s is refused in the form of the API, and told', async (_, more) => {
  const { call, up, pass } = await rig();
  const { status, headers, body } = await call({
    body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 1, messages: [], ...more }),
  });
  expect({ status, retry: headers['x-should-retry'] }).toEqual({ status: 400, retry: 'false' });
  expect(JSON.parse(body).error.type).toBe('invalid_request_error');
  expect(up.seen).toEqual([]);
  expect(pass.record()).toMatchObject({ usage: {}, trouble: { kind: 'request' } });
});

it.each<[string, object]>([
  ['work in the background', { background: true }],
  ['what is kept', { store: true }],
  ['an answer that was kept', { previous_response_id: 'resp_1' }],
  ['a conversation', { conversation: 'conv_1' }],
  ['a kept prompt', { prompt: { id: 'pmpt_1' } }],
  ['another rate', { service_tier: 'priority' }],
  ['a search', { tools: [{ type: 'web_search' }] }],
  ['a server', { tools: [{ type: 'mcp', server_url: 'https://example.org' }] }],
  ['a search inside a namespace', { tools: [{ type: 'namespace', tools: [{ type: 'mcp' }] }] }],
  ['a tool search of the provider', { tools: [{ type: 'tool_search' }] }],
  ['a later server', { input: [{ type: 'additional_tools', tools: [{ type: 'mcp' }] }] }],
  ['an image elsewhere', { input: [{ type: 'input_image', image_url: 'https://example.org' }] }],
  ['a file elsewhere', { input: [{ type: 'input_file', file_url: 'https://example.org' }] }],
  ['a file of the account', { input: [{ content: [{ type: 'input_file', file_id: 'f' }] }] }],
  ['an item of the account', { input: [{ type: 'item_reference', id: 'x' }] }],
])('openai: %s is refused in the form of the API, and told', async (_, more) => {
  const { call, up, pass } = await rig({ dialect: 'openai' });
  const { status, body } = await call({
    ...{ path: '/v1/responses', headers: shown('openai') },
    body: JSON.stringify({ model: 'gpt-5', input: [], ...more }),
  });
  expect(status).toBe(400);
  expect(JSON.parse(body).error.type).toBe('invalid_request_error');
  expect(up.seen).toEqual([]);
  expect(pass.record().trouble).toMatchObject({ kind: 'request' });
});

it.each([
  ['no JSON', 'x'],
  ['no object', '[]'],
  ['nothing but members', `{"messages":[${'1,'.repeat(1_500_000)}1]}`],
])('%s is refused', async (_, body) => {
  const { call, up } = await rig();
  expect((await call({ body })).status).toBe(400);
  expect(up.seen).toEqual([]);
});

it('what is sent is what was looked at: of a member that is there twice only the one', async () => {
  const { call, up } = await rig();
  await call({ body: '{"top_k":1,"tools":[{"type":"mcp"}],"tools":[]}' });
  expect(up.seen[0]?.body).toBe('{"top_k":1,"tools":[]}');
});

it('JSON of any form is the business of a tool; its depth has an end', async () => {
  const { call } = await rig();
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const free = '{"source":{"type":"url"},"tools":[1],"type":"web_search_20250305"}';
  const uses = `{"type":"tool_use","input":${free}}`;
  const body = (levels: number) =>
    `{"tools":[{"name":"x","input_schema":${free}}],"messages":[${uses},${deep(levels)}]}`;
  expect((await call({ body: body(100) })).status).toBe(200);
  expect((await call({ body: body(100_000) })).status).toBe(400);
});

it.each<[DialectName, string, string, number]>([
  ['anthropic', 'claude-haiku-5-5', 'claude-haiku-5-5', 200],
  ['anthropic', 'claude-haiku-5-5', 'claude-haiku-5-5-20261001', 200],
  ['anthropic', 'claude-sonnet-5-5', 'claude-sonnet-5-5[1m]', 200],
  ['anthropic', 'claude-sonnet-5-5', 'claude-haiku-5-5', 200],
  ['anthropic', 'claude-haiku-5-5', 'claude-opus-5-5', 400],
  ['anthropic', 'claude-haiku-5-5', 'claude-haiku-4-5', 400],
  ['anthropic', 'opusplan', 'claude-opus-5-5', 200],
  ['openai', 'gpt-5.2-codex', 'gpt-5.2-codex', 200],
  ['openai', 'gpt-5.2-codex', 'gpt-5-pro', 400],
])('%s: a worker that was given %s and asks for %s', async (dialect, model, asked, status) => {
  const { call } = await rig({ dialect, terms: { model } });
  const path = dialect === 'openai' ? '/v1/responses' : '/v1/messages';
  const at = { path, headers: shown(dialect) };
  expect((await call({ ...at, body: JSON.stringify({ model: asked }) })).status).toBe(status);
  expect((await call({ ...at, body: '{}' })).status).toBe(400);
});

it('no header of a worker chooses an account: the 401 of another organization is met by nobody', async () => {
  const { call, up, pass } = await rig({ dialect: 'openai' });
  up.answers = [
    (response, request) =>
      says(request.headers['openai-organization'] ? 401 : 200)(response, request),
  ];
  const headers = {
    ...{ ...shown('openai'), 'openai-organization': 'org-nope', 'openai-project': 'p' },
    ...{ 'x-anything': '1', 'anthropic-version': '1', originator: 'codex_exec' },
  };
  expect((await call({ path: '/responses', headers })).status).toBe(200);
  expect(pass.record().trouble).toBeUndefined();
  const names = Object.keys(up.seen[0]?.headers ?? {});
  expect(names.filter((name) => /openai|anything|anthropic/u.test(name))).toEqual([]);
  expect(up.seen[0]?.headers).toMatchObject({
    ...{ authorization: `Bearer ${KEY}`, originator: 'codex_exec' },
  });
});

it('bodies of one worker leave room for those of others', async () => {
  const { call, open, up, admit } = await rig({
    limits: { requestBytes: 100, passBytes: 100, allBytes: 160 },
  });
  const other = attemptToken('nonce-2');
  admit({ token: other });
  up.answers = [() => undefined, says(200)];
  const body = JSON.stringify({ messages: 'x'.repeat(60) });
  const stalled = open({ body }).catch(() => 'ended');
  while (up.seen.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await call({ body })).status).toBe(429);
  expect((await call({ body, headers: shown('anthropic', other) })).status).toBe(200);
  admit();
  expect(await Promise.race([stalled, 'waits'])).toBe('waits');
});
