import type { FakeLoom, Fault, RecordedCall } from '@atelier/fake-loom';
import { afterEach, describe, expect, it } from 'vitest';
import { chatOf, chatServer, endAll, goals, testClock, toolsOf, until } from './stage.ts';

afterEach(endAll);

/** Fails the first calls of a tool. */
const first = (count: number, tool: string, fault: Fault) => {
  let left = count;
  return (call: RecordedCall) => (call.tool === tool && left-- > 0 ? fault : undefined);
};
const sends = (loom: FakeLoom) => toolsOf(loom).filter((tool) => tool === 'send_message').length;
const nameIn = ({ identities }: { identities: ReadonlyMap<string, string> }, role: string) =>
  identities.get(role);

describe('what the client does about a failure', () => {
  it('a session that was reaped: a new name, and the message is delivered', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    loom.advance(300_001);
    expect(loom.sessions()).toBe(0);
    expect(await run.say('be-1', 'fe-1', 'there?')).toMatchObject({ delivered: true });
    expect(loom.messages().at(-1)).toMatchObject({ sender: 'be-1-2', target: 'fe-1' });
  });

  it('a purge: everyone comes back under their own names, the channel too', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    loom.purge();
    // A member is the first to notice, and the channel is the lead's to make.
    expect(await run.say('be-1', 'fe-1', 'there?')).toMatchObject({ delivered: true });
    expect(loom.messages()).toMatchObject([{ sender: 'be-1', target: 'fe-1' }]);
    expect(loom.sessions()).toBe(4);
  });

  it('NOT_A_MEMBER and RECIPIENT_NOT_MEMBER: joins again, once', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    loom.channels()[0]?.members.splice(0);
    expect(await run.say('be-1', 'fe-1', 'there?')).toMatchObject({ delivered: true });
    expect(loom.channels()[0]?.members).toEqual(['be-1', 'fe-1']);
    loom.fail((call) => (call.tool === 'send_message' ? { code: 'NOT_A_MEMBER' } : undefined));
    const before = sends(loom);
    expect(await run.announce('x')).toMatchObject({ code: 'NOT_A_MEMBER' });
    expect(sends(loom) - before).toBe(2);
  });

  it('503: waits as long as it is told, once', async () => {
    const clock = testClock();
    const loom = await chatServer();
    const run = await chatOf(loom, { clock, members: ['be-1'] });
    let full = 1;
    const fault = { status: 503, headers: { 'retry-after': '5' } };
    loom.fail(({ method }) => (method === 'initialize' && full-- > 0 ? fault : undefined));
    expect(await run.kickoff(goals)).toMatchObject({ posted: true, failed: [] });
    expect(clock.slept).toEqual([5_000]);
  });

  it('503 for longer than there is time: the chat is left alone, and still tried later', async () => {
    const clock = testClock();
    const loom = await chatServer();
    const run = await chatOf(loom, { clock });
    loom.fail(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    expect((await run.kickoff(goals)).failed).toContainEqual({ to: 'team-lead', code: '503' });
    expect(clock.slept).toEqual([]);
    loom.fail(undefined);
    expect(await run.announce('x')).toMatchObject({ code: 'NO_RECIPIENT' });
  });

  it.each([[{ code: '-32602' }], [{ code: 'BODY_TOO_LONG' }]])(
    '%j: not tried again',
    async (no) => {
      const loom = await chatServer();
      const run = await chatOf(loom);
      await run.kickoff(goals);
      const before = sends(loom);
      loom.fail(first(9, 'send_message', no));
      expect(await run.announce('x')).toMatchObject({ delivered: false, code: no.code });
      expect(sends(loom) - before).toBe(1);
    },
  );

  it.each([403, 404, 406, 413, 415])(
    '%i: the chat is off at once, and one line says so',
    async (status) => {
      const loom = await chatServer();
      const told: string[] = [];
      const run = await chatOf(loom, { onTrouble: (line) => told.push(line) });
      loom.fail(() => ({ status, body: 'no\u001b[2J\nno' }));
      const { failed } = await run.kickoff(goals);
      expect(failed[0]).toEqual({ to: 'team-lead', code: String(status) });
      expect(failed[1]?.code).toBe('BREAKER_OPEN');
      expect(told).toEqual([`the chat is off: http ${status} no[2J no`]);
      expect(run.counters().breakerTrips).toBe(1);
    },
  );

  it('INTERNAL_ERROR three times: the chat is off', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    loom.fail(first(3, 'send_message', { code: 'INTERNAL_ERROR' }));
    const codes: (string | undefined)[] = [];
    for (const text of ['a', 'b', 'c', 'd']) codes.push((await run.announce(text)).code);
    expect(codes).toEqual([...Array(3).fill('INTERNAL_ERROR'), 'BREAKER_OPEN']);
  });

  it('an answer that is none: counts as a failure', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom, { limits: { failures: 2 } });
    for (const body of ['<html>', '{"id":1}']) {
      loom.fail(() => ({ status: 200, body }));
      await run.announce('x');
    }
    expect(run.counters()).toMatchObject({ failed: { MALFORMED: 2 }, breakerTrips: 1 });
  });

  it('LC-34: tells the name that is live, and comes back under a new one after signing off', async () => {
    const loom = await chatServer();
    await (await chatOf(loom)).kickoff(goals);
    const run = await chatOf(loom, { runId: 'r2', channel: 'cycle-r2' });
    expect(nameIn(await run.kickoff(goals), 'be-1')).toBe('be-1-2');
    const here = await run.rejoin('be-1');
    expect(here).toMatchObject({ ok: true, assignedName: 'be-1-2', reregistered: false });
    expect(await run.deregister('be-1')).toMatchObject({ ok: true, assignedName: 'be-1-2' });
    expect(await run.deregister('be-1')).toMatchObject({ ok: false, code: 'NOT_THERE' });
    const back = await run.rejoin('be-1');
    expect(back).toMatchObject({ ok: true, assignedName: 'be-1-3', reregistered: true });
    expect(loom.agents()).toContainEqual({ name: 'be-1-2', status: 'gone' });
  });
});

describe('the keepalive', () => {
  it('LC-43: lets every session be seen, and replaces one that was ended', async () => {
    const clock = testClock();
    const loom = await chatServer();
    const run = await chatOf(loom, { clock });
    await run.kickoff(goals);
    const pings = () => loom.calls.filter(({ method }) => method === 'ping').length;
    loom.advance(200_000);
    await clock.wake();
    await until(() => pings() === 4);
    loom.advance(200_000);
    expect(loom.sessions()).toBe(4);
    loom.restart();
    await clock.wake();
    await until(() => loom.sessions() === 4);
    // Whatever is said next waits for its turn behind it.
    expect(await run.announce('x')).toMatchObject({ recipients: 7 });
    expect(loom.messages().at(-1)?.sender).toBe('team-lead-2');
  });
});
