import { type AddressInfo, createServer } from 'node:net';
import type { Fault } from '@atelier/fake-loom';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTeamChatContext } from '../src/chat-context.ts';
import { httpTransport } from '../src/http-transport.ts';
import { openRun } from '../src/open-run.ts';
import { chatOf, chatServer, endAll, find, folder, goals, MEMBERS } from './stage.ts';

afterEach(endAll);

const HALF = {
  'content-type': 'text/event-stream',
  'content-length': '999',
  connection: 'keep-alive',
};

describe('a chat that fails', () => {
  it('dies in the middle of a run: three calls more, no throw, the breaker open', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    await loom.close();
    const codes: (string | undefined)[] = [];
    for (const text of ['a', 'b', 'c', 'd']) codes.push((await run.announce(text)).code);
    expect(codes).toEqual(['CLOSED', 'CLOSED', 'CLOSED', 'BREAKER_OPEN']);
    expect(await run.teardown()).toMatchObject({ transport: 'loom', deregistered: [] });
    expect(run.counters()).toMatchObject({
      failed: { BREAKER_OPEN: 1, CLOSED: 3 },
      breakerTrips: 1,
    });
  });

  it.each<[string, Fault]>([
    ['says nothing', 'hang'],
    ['stops in the middle of an answer', { status: 200, headers: HALF, body: 'data: {"id":' }],
  ])('%s: as many calls as the breaker takes, and every promise settles', async (_, fault) => {
    const loom = await chatServer();
    const run = await chatOf(loom, { limits: { callMs: 30 } });
    loom.fail(() => fault);
    const before = loom.calls.length;
    const [kickoff, said] = await Promise.all([run.kickoff(goals), run.say('be-1', 'fe-1', 'x')]);
    expect(kickoff.posted).toBe(false);
    const codes = kickoff.failed.map(({ code }) => code);
    expect(codes).toEqual(['TIMEOUT', 'TIMEOUT', 'TIMEOUT', 'BREAKER_OPEN']);
    expect(said.code).toBe('BREAKER_OPEN');
    expect(await run.teardown()).toMatchObject({ attempted: [] });
    expect(loom.calls.length - before).toBeLessThanOrEqual(3);
  });

  it('switches to another protocol instead of answering: no call is waited for beyond its time', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const url = `http://127.0.0.1:${port}/mcp`;
      expect(await find(folder(), { LOOM_MCP_URL: url })).toMatchObject({ available: false });
      const transport = httpTransport(new URL(url));
      const request = { method: 'ping' };
      expect(await transport.request('s', request, 60_000)).toMatchObject({ ok: false });
    } finally {
      server.close();
    }
  });

  it('cuts connections', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    loom.fail(({ method }) => (method === 'tools/call' ? 'reset' : undefined));
    expect(await run.announce('x')).toMatchObject({ code: 'CLOSED' });
  });

  it('LC-42: has its time for a phase and no more', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom, { limits: { phaseMs: 0 } });
    expect((await run.kickoff(goals)).failed.map(({ code }) => code)).toEqual(
      Array(4).fill('BUDGET_SPENT'),
    );
    expect(run.counters().breakerTrips).toBe(0);
  });

  it('lets no more wait than it should, and says so', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom, { limits: { waiting: 2 } });
    const sent = await Promise.all(['a', 'b', 'c'].map((text) => run.announce(text)));
    expect(sent.map(({ code }) => code)).toEqual(['NO_RECIPIENT', 'NO_RECIPIENT', 'NOT_TAKEN']);
  });

  it('passes over a store and a listener that throw', async () => {
    const loom = await chatServer();
    const no = () => {
      throw new Error('no');
    };
    const run = await chatOf(loom, { store: { save: no, load: no }, onTrouble: no });
    expect(await run.kickoff(goals)).toMatchObject({ posted: true });
    loom.fail(() => ({ status: 404 }));
    expect(await run.announce('x')).toMatchObject({ code: '404' });
    expect(run.counters().unrecorded).toBe(5);
  });
});

describe('ATELIER_LOOM_COMMS', () => {
  it('0 opens no connection, even where a server is named', async () => {
    const loom = await chatServer();
    const root = folder();
    const env = { ATELIER_LOOM_COMMS: '0', LOOM_MCP_URL: loom.url };
    const status = await find(root, env);
    expect(status).toEqual({ available: false, reason: 'it is turned off' });
    const run = openRun(status, {
      ...{ runId: 'r1', channel: 'cycle-r1', lead: 'team-lead', members: MEMBERS, root },
    });
    expect(await run.kickoff(goals)).toMatchObject({ transport: 'bridge', posted: false });
    expect(await run.invite('be-1')).toMatchObject({ transport: 'bridge', ok: false });
    expect(await run.rejoin('be-1')).toMatchObject({ transport: 'bridge', reregistered: false });
    expect(await run.deregister('be-1')).toMatchObject({ transport: 'bridge', ok: false });
    for (const sent of [run.say('a', 'b', 'c'), run.announce('x'), run.relay('a', 'T', 'x')])
      expect(await sent).toEqual({ transport: 'bridge', delivered: false, recipients: 0 });
    expect(await run.inbox('be-1')).toEqual([]);
    expect(await run.teardown()).toMatchObject({ transport: 'bridge', attempted: [] });
    await run[Symbol.asyncDispose]();
    expect(run.counters()).toMatchObject({ attempted: 0, sessionsOpen: 0 });
    expect(buildTeamChatContext(status, { channel: 'c' })).toEqual({ transport: 'bridge' });
    expect(loom.connections()).toBe(0);
  });

  it.each(['', '00', 'false', ' 0', '1'])('%j leaves the chat on', async (value) => {
    const loom = await chatServer();
    const env = { ATELIER_LOOM_COMMS: value, LOOM_MCP_URL: loom.url };
    expect(await find(folder(), env)).toMatchObject({ available: true });
  });
});
