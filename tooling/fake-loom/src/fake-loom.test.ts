import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeLoom, type FakeLoomOptions, startFakeLoom } from './fake-loom.ts';

interface Raw {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

const started: FakeLoom[] = [];
const start = async (options?: FakeLoomOptions) => {
  const loom = await startFakeLoom(options);
  started.push(loom);
  return loom;
};
afterEach(() => Promise.all(started.splice(0).map((loom) => loom.close())));

/** Bytes as they are: what a client library would hide is what these tests are about. */
const raw = (
  { port }: FakeLoom,
  options: {
    body?: unknown;
    session?: string | undefined;
    method?: string;
    path?: string;
    headers?: Record<string, string>;
  },
) =>
  new Promise<Raw>((resolve, reject) => {
    const { body, session, method = 'POST', path = '/mcp', headers } = options;
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(session && { 'mcp-session-id': session }),
        ...headers,
      },
    });
    outgoing.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    outgoing.end(typeof body === 'string' ? body : body && JSON.stringify(body));
  });

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};
const open = async (loom: FakeLoom) =>
  String((await raw(loom, { body: initialize })).headers['mcp-session-id']);

const answersOf = ({ text }: Raw) =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json ?? ''));
const call = async (loom: FakeLoom, session: string, name: string, args = {}) => {
  const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } };
  return answersOf(await raw(loom, { body, session }))[0].result;
};
/** A session whose agent is registered, and has joined or made the channel. */
const agent = async (loom: FakeLoom, name: string, channel?: string) => {
  const session = await open(loom);
  const { name: assigned } = (await call(loom, session, 'register', { name })).structuredContent;
  if (channel) {
    const made = await call(loom, session, 'create_channel', { name: channel });
    if (made.isError) await call(loom, session, 'join_channel', { channel });
  }
  const ask = (tool: string, args = {}) => call(loom, session, tool, args);
  return { session, name: assigned as string, ask };
};
const registerPurely = async (loom: FakeLoom, name: string) => (await agent(loom, name)).name;

describe('the fake chat server', () => {
  it('1: keeps names over a restart, and gives a suffix against one that is gone', async () => {
    const loom = await start();
    const first = await agent(loom, 'be-1');
    await first.ask('deregister', { name: 'be-1' });
    expect(loom.agents()).toEqual([{ name: 'be-1', status: 'gone' }]);
    loom.restart();
    expect(await registerPurely(loom, 'be-1')).toBe('be-1-2');
  });

  it('2: gives ten at once be-1 to be-1-10, and after a restart be-1-11', async () => {
    const loom = await start();
    const names = await Promise.all(Array.from({ length: 10 }, () => registerPurely(loom, 'be-1')));
    const suffixed = Array.from({ length: 9 }, (_, index) => `be-1-${index + 2}`);
    expect(new Set(names)).toEqual(new Set(['be-1', ...suffixed]));
    loom.restart();
    expect(await registerPurely(loom, 'be-1')).toBe('be-1-11');
  });

  it('3: wants membership to send, and of whom a direct message is for', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    const other = await agent(loom, 'be-1');
    const message = { channel: 'c', to: 'be-1', body: '' };
    expect((await lead.ask('send_message', message)).structuredContent.code).toBe(
      'RECIPIENT_NOT_MEMBER',
    );
    expect((await other.ask('send_message', message)).structuredContent.code).toBe('NOT_A_MEMBER');
    await other.ask('join_channel', { channel: 'c' });
    expect((await lead.ask('send_message', message)).structuredContent.recipients).toEqual([
      'be-1',
    ]);
  });

  it('4: takes a message to @here that nobody else hears, as a success', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    const sent = await lead.ask('send_message', { channel: 'c', to: '@here', body: 'x' });
    expect(sent.isError).toBeUndefined();
    expect(sent.structuredContent.recipients).toEqual([]);
  });

  it('5: leaves session, membership and delivery to one that deregistered', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    const gone = await agent(loom, 'be-1', 'c');
    // Anyone who is registered may end anyone.
    await lead.ask('deregister', { name: 'be-1' });
    const message = { channel: 'c', to: '@here', body: 'x' };
    expect((await gone.ask('send_message', message)).structuredContent.recipients).toEqual([
      'lead',
    ]);
    expect((await lead.ask('send_message', message)).structuredContent.recipients).toEqual([
      'be-1',
    ]);
    expect((await gone.ask('check_inbox')).structuredContent.unread).toBe(1);
    await gone.ask('join_channel', { channel: 'c' });
    expect(loom.agents()).toContainEqual({ name: 'be-1', status: 'gone' });
    const again = await lead.ask('deregister', { name: 'be-1' });
    expect(again.structuredContent).toEqual({ ok: true, name: 'be-1' });
    expect((await lead.ask('deregister', { name: 'x' })).structuredContent.code).toBe(
      'AGENT_NOT_FOUND',
    );
  });

  it('6: takes a second join in silence', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    const joined = await lead.ask('join_channel', { channel: 'c' });
    expect(joined.structuredContent).toEqual({ channel: 'c', members: ['lead'] });
  });

  it('7: tells what the chat refuses as a success with isError and a code', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    expect(await lead.ask('create_channel', { name: 'c' })).toEqual({
      content: [{ type: 'text', text: 'CHANNEL_EXISTS: channel already exists: c' }],
      structuredContent: { code: 'CHANNEL_EXISTS', message: 'channel already exists: c' },
      isError: true,
    });
    const long = await lead.ask('register', { name: 'x'.repeat(65) });
    expect(long.structuredContent.code).toBe('NAME_TOO_LONG');
  });

  it('8: tells what a schema refuses as text alone', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    for (const [tool, args] of [
      ['nosuch', {}],
      ['register', { name: 1 }],
      ['send_message', { channel: 'c', to: '@here', body: 'x'.repeat(501) }],
    ] as const) {
      const { isError, structuredContent, content } = await lead.ask(tool, args);
      expect({ isError, structuredContent }).toEqual({ isError: true });
      expect(content[0].text).toMatch(/^MCP error -32602: /);
    }
  });

  it('9: gives a list in the text alone', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    const listed = await lead.ask('list_channels');
    expect(Object.keys(listed)).toEqual(['content']);
    expect(JSON.parse(listed.content[0].text)).toEqual([{ id: 1, name: 'c', members: ['lead'] }]);
  });

  it('10: answers 400 and -32000 on a session that is dead', async () => {
    const loom = await start();
    const body = { jsonrpc: '2.0', id: 9, method: 'ping' };
    const dead = await raw(loom, { body, session: 'b7e1' });
    expect(dead.status).toBe(400);
    expect(JSON.parse(dead.text).error.code).toBe(-32000);
    const twice = await raw(loom, { body: initialize, session: await open(loom) });
    expect(JSON.parse(twice.text).error.code).toBe(-32600);
    expect((await raw(loom, { body: initialize, session: 'unknown' })).status).toBe(200);
  });

  it('11: ends a session with DELETE', async () => {
    const loom = await start();
    const session = await open(loom);
    expect(await raw(loom, { method: 'DELETE', session })).toMatchObject({ status: 200, text: '' });
    expect(loom.sessions()).toBe(0);
    const again = await raw(loom, { method: 'DELETE', session });
    expect(again).toMatchObject({ status: 400, text: 'missing or invalid mcp-session-id' });
  });

  it('12: refuses the 101st session, and says when to come again', async () => {
    const loom = await start();
    await Promise.all(Array.from({ length: 100 }, () => open(loom)));
    const refused = await raw(loom, { body: initialize });
    expect(refused).toMatchObject({ status: 503, text: 'too many sessions' });
    expect(refused.headers['retry-after']).toBe('5');
  });

  it('13: ends a session that was not seen for five minutes, and not one that pings', async () => {
    const loom = await start();
    const [idle, seen] = [await open(loom), await open(loom)];
    const body = { jsonrpc: '2.0', id: 9, method: 'ping' };
    loom.advance(299_000);
    expect(answersOf(await raw(loom, { body, session: seen }))).toEqual([
      { result: {}, jsonrpc: '2.0', id: 9 },
    ]);
    loom.advance(2_000);
    expect((await raw(loom, { body, session: idle })).status).toBe(400);
    expect((await raw(loom, { body, session: seen })).status).toBe(200);
  });

  it('14: counts a body in UTF-16 units, and tells the longest in its list of tools', async () => {
    const loom = await start({ bodyCap: 10 });
    const lead = await agent(loom, 'lead', 'c');
    const send = (body: string) => lead.ask('send_message', { channel: 'c', to: '@here', body });
    expect((await send('😀'.repeat(5))).isError).toBeUndefined();
    expect((await send('😀'.repeat(6))).isError).toBe(true);
    const body = { jsonrpc: '2.0', id: 3, method: 'tools/list' };
    const [{ result }] = answersOf(await raw(loom, { body, session: lead.session }));
    const tool = result.tools.find(({ name }: { name: string }) => name === 'send_message');
    expect(tool.inputSchema.properties.body.maxLength).toBe(10);
  });

  it('15: turns away foreign hosts and origins', async () => {
    const loom = await start();
    const as = (headers: Record<string, string>) => raw(loom, { body: initialize, headers });
    expect(await as({ host: 'evil.example' })).toMatchObject({
      status: 403,
      text: 'forbidden host',
    });
    const origin = 'http://evil.example';
    expect(await as({ origin })).toMatchObject({ status: 403, text: 'forbidden origin' });
    const own = `localhost:${loom.port}`;
    expect((await as({ host: own, origin: `http://${own}` })).status).toBe(200);
    expect((await raw(loom, { body: initialize, path: '/' })).status).toBe(404);
  });

  it('16: answers 406, 415, 413 and -32700 to what is no proper request', async () => {
    const loom = await start();
    const as = (headers: Record<string, string>, body: unknown = initialize) =>
      raw(loom, { body, headers });
    expect((await as({ accept: 'application/json' })).status).toBe(406);
    expect((await as({ 'content-type': 'text/plain' })).status).toBe(415);
    const large = await as({}, 'x'.repeat(1024 * 1024 + 1));
    expect(large).toMatchObject({ status: 413, text: 'payload too large' });
    const broken = await as({}, '{');
    expect([broken.status, JSON.parse(broken.text).error.code]).toEqual([400, -32700]);
  });

  it.each([
    ['a length', 0, 'content-length'],
    ['chunks', 0.9, 'transfer-encoding'],
  ])('17: frames an event with %s and keeps the connection', async (_, random, header) => {
    const loom = await start({ random: () => random });
    const answer = await raw(loom, { body: initialize, headers: { connection: 'close' } });
    expect(answer.headers[header]).toBeDefined();
    expect(answer.headers['connection']).toBe('keep-alive');
    expect(answer.text).toMatch(/^event: message\ndata: \{.*\}\n\n$/);
  });

  it('18: lists channels for one that is not registered, and nothing else', async () => {
    const loom = await start();
    const session = await open(loom);
    expect((await call(loom, session, 'list_channels')).content[0].text).toBe('[]');
    const inbox = await call(loom, session, 'check_inbox');
    expect(inbox.structuredContent.code).toBe('NOT_REGISTERED');
  });

  it('19: knows nobody any more after purge_all', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    const other = await agent(loom, 'be-1', 'c');
    expect((await lead.ask('purge_all')).structuredContent.deleted).toMatchObject({ agents: 2 });
    // A new one of the same name does not bring the old session back.
    expect(await registerPurely(loom, 'be-1')).toBe('be-1');
    for (const one of [lead, other])
      expect((await one.ask('check_inbox')).structuredContent.code).toBe('NOT_REGISTERED');
  });

  it('20: gives ids that are global and grow, and marks as read only what is the own', async () => {
    const loom = await start();
    const lead = await agent(loom, 'lead', 'c');
    const other = await agent(loom, 'be-1', 'c');
    await other.ask('create_channel', { name: 'd' });
    await lead.ask('join_channel', { channel: 'd' });
    const ids: number[] = [];
    for (const channel of ['c', 'd', 'c']) {
      const message = { channel, to: 'lead', body: 'x'.repeat(90) };
      ids.push((await other.ask('send_message', message)).structuredContent.message_id);
    }
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set(ids).size).toBe(3);
    const { previews } = (await lead.ask('check_inbox')).structuredContent;
    expect(previews[0].preview).toBe(`${'x'.repeat(80)}…`);
    const marked = { message_ids: [ids[0], 999] };
    expect((await other.ask('mark_read', marked)).structuredContent.marked).toBe(0);
    expect((await lead.ask('mark_read', marked)).structuredContent.marked).toBe(1);
    const read = await lead.ask('read_messages', { channel: 'c' });
    expect(JSON.parse(read.content[0].text)).toMatchObject([
      { message_id: ids[2], target: 'lead' },
    ]);
  });

  it('answers a batch with an event each, a notification with 202, and an unknown version', async () => {
    const loom = await start();
    const session = await open(loom);
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    expect(answersOf(await raw(loom, { body: [ping(1), ping(2)], session }))).toHaveLength(2);
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await raw(loom, { body: note, session })).toMatchObject({ status: 202, text: '' });
    const odd = { ...initialize, params: { protocolVersion: '1999-01-01' } };
    const [{ result }] = answersOf(await raw(loom, { body: odd }));
    expect(result.protocolVersion).toBe('2025-11-25');
  });
});
