import { describe, expect, test } from 'vitest';
import { TEAM, teamAt } from '../../test/team-file.ts';

const coded = (code: string) => expect.objectContaining({ name: 'StoreError', code });

const request = { teamId: TEAM, requestId: 'r1', requestedBy: 'lead', recipient: 'ann' };
const answer = { requestId: 'r1', respondedBy: 'ann', approve: true };

describe('TM-005 the handshake before somebody stops', () => {
  test('both sides are messages on the wire with the id of the request', () => {
    const { shutdowns, wire } = teamAt(':memory:');
    shutdowns.request({ ...request, reason: 'all done' });
    shutdowns.respond({ ...answer, approve: false, reason: 'a test still runs' });
    const said = wire.messages({ teamId: TEAM });
    expect(said).toMatchObject([
      { kind: 'shutdown_req', senderId: 'lead', recipient: 'ann' },
      { kind: 'shutdown_resp', senderId: 'ann', recipient: 'lead' },
    ]);
    expect(said.map(({ payload }) => JSON.parse(payload ?? ''))).toEqual([
      { type: 'shutdown_request', request_id: 'r1', reason: 'all done' },
      { type: 'shutdown_response', request_id: 'r1', approve: false, reason: 'a test still runs' },
    ]);
    expect(shutdowns.list(TEAM)).toMatchObject([
      {
        ...request,
        reason: 'all done',
        answer: { approve: false, reason: 'a test still runs' },
      },
    ]);
  });

  test('who asks or answers the same again changes nothing', () => {
    const { shutdowns, wire } = teamAt(':memory:');
    const asked = shutdowns.request(request);
    expect(asked.answer).toBeNull();
    expect(shutdowns.request(request)).toEqual(asked);
    const answered = shutdowns.respond(answer);
    expect(shutdowns.respond(answer)).toEqual(answered);
    expect(shutdowns.request(request)).toEqual(answered);
    expect(wire.messages({ teamId: TEAM })).toHaveLength(2);
  });

  test.each([
    ['another answer', { approve: false, reason: 'no' }, 'STORE_SHUTDOWN_ANSWERED'],
    ['an answer of another member', { respondedBy: 'bob' }, 'STORE_NOT_ASKED'],
    ['an answer to nobody', { requestId: 'r2' }, 'STORE_NO_SUCH_REQUEST'],
    ['a refusal without a reason', { approve: false }, 'STORE_BAD_TEXT'],
  ])('%s is refused', (_, over, code) => {
    const { shutdowns, wire } = teamAt(':memory:');
    shutdowns.request(request);
    shutdowns.respond(answer);
    expect(() => shutdowns.respond({ ...answer, ...over })).toThrow(coded(code));
    expect(wire.messages({ teamId: TEAM })).toHaveLength(2);
  });

  test.each([
    ['the id of another request', { recipient: 'bob' }, 'STORE_SHUTDOWN_TAKEN'],
    ['a stranger', { requestId: 'r2', recipient: 'eve' }, 'STORE_NOT_A_MEMBER'],
    ['a blank reason', { requestId: 'r2', reason: ' ' }, 'STORE_BAD_TEXT'],
    ['no id', { requestId: '' }, 'STORE_BAD_NAME'],
  ])('a request with %s is refused', (_, over, code) => {
    const { shutdowns } = teamAt(':memory:');
    shutdowns.request(request);
    expect(() => shutdowns.request({ ...request, ...over })).toThrow(coded(code));
    expect(shutdowns.list(TEAM)).toHaveLength(1);
  });
});
