import { expect, it } from 'vitest';
import { attemptToken } from '../../src/api-proxy/attempt-token.ts';
import type { ApiCredential } from '../../src/api-proxy/credentials/credential.ts';
import type { AgentSignal } from '../../src/output-reader.ts';
import { rig, says, TOKEN, WALL } from './rig.ts';

it('O-16: overload and lost connections are waited for, and the program sees one good answer', async () => {
  const told: AgentSignal[] = [];
  const { call, up, clock } = await rig({ terms: { tell: (signal) => told.push(signal) } });
  up.answers = [
    says(529),
    (_, incoming) => incoming.socket.resetAndDestroy(),
    says(429, { 'retry-after': '2' }),
    says(200, {}, '{"ok":true}'),
  ];
  expect(await call({ body: '{"top_k":1}' })).toMatchObject({ status: 200, body: '{"ok":true}' });
  expect(up.seen.map(({ body }) => body)).toEqual(Array(4).fill('{"top_k":1}'));
  expect(clock.slept).toEqual([375, 750, 2250]);
  expect(told.filter(({ kind }) => kind !== 'usage')).toEqual([
    { kind: 'retry', status: 529, waitMs: 375 },
    { kind: 'retry', waitMs: 750 },
    { kind: 'retry', status: 429, waitMs: 2250 },
  ]);
});

it.each([500, 503, 529])(
  'after three retries a %i is passed on, and the program is told not to go on',
  async (status) => {
    const { call, up, pass } = await rig();
    up.answers = [says(status, {}, '{"error":"theirs"}')];
    expect(await call()).toMatchObject({
      ...{ status, body: '{"error":"theirs"}' },
      headers: { 'x-should-retry': 'false' },
    });
    expect(up.seen.length).toBe(4);
    expect(pass.record()).toEqual({ usage: {}, wasCut: false, met: status, isFromStart: false });
  },
);

it('an API that is not there: 502 in its form, without its address', async () => {
  const { call, up, clock } = await rig();
  await up.stop();
  const { status, body, headers } = await call();
  expect({ status, retry: headers['x-should-retry'] }).toEqual({ status: 502, retry: 'false' });
  expect(JSON.parse(body)).toEqual({
    type: 'error',
    error: { type: 'api_error', message: 'the model API can not be reached: ECONNREFUSED' },
  });
  expect(clock.slept.length).toBe(3);
});

it('an API that never begins to answer: 504, once', async () => {
  const { call, up } = await rig({ limits: { answerMs: 50 } });
  up.answers = [() => undefined];
  const { status, body } = await call();
  expect(status).toBe(504);
  expect(JSON.parse(body).error.type).toBe('timeout_error');
  expect(up.seen.length).toBeLessThan(2);
});

it('what the API says is of no use is not tried again, nor is the fault of a request', async () => {
  const { call, up } = await rig();
  up.answers = [says(503, { 'x-should-retry': 'false' }), says(400), says(404), says(403)];
  for (const status of [503, 400, 404, 403]) expect((await call()).status).toBe(status);
  expect(up.seen.length).toBe(4);
});

it('decision 15: a 429 that passes the deadline is a usage limit at once; siblings are served', async () => {
  const told: AgentSignal[] = [];
  const { call, up, pass, admit, proxy } = await rig({
    terms: { wallClockMs: 60_000, tell: (signal) => told.push(signal) },
  });
  const sibling = attemptToken('nonce-2');
  const other = admit({ token: sibling });
  up.answers = [says(429, { 'retry-after': '3600' }, '{"error":"limit"}'), says(200)];
  const { status, body, headers } = await call();
  expect({ status, body }).toEqual({ status: 429, body: '{"error":"limit"}' });
  // Not every program knows the first; each waits for the second.
  expect(headers['x-should-retry']).toBe('false');
  expect(headers['retry-after']).toBeUndefined();
  const resumeAt = WALL + 3_600_000;
  expect(pass.record().trouble).toEqual({ kind: 'limit', resumeAt });
  expect(told).toEqual([{ kind: 'limit', resumeAt }]);
  expect(proxy.limitedUntil()).toBe(resumeAt);
  expect((await call({ headers: { 'x-api-key': sibling } })).status).toBe(200);
  expect(other.record().trouble).toBeUndefined();
});

it('a wait within the deadline that is too long to hold is left to the program, and remembered', async () => {
  const { call, up, pass } = await rig();
  up.answers = [says(429, { 'retry-after': '600' }), says(200)];
  const { status, headers } = await call();
  expect({ status, retry: headers['x-should-retry'] }).toEqual({ status: 429, retry: undefined });
  expect(pass.record().trouble).toEqual({ kind: 'limit', resumeAt: WALL + 600_000 });
  await call();
  expect(pass.record().trouble).toBeUndefined();
});

it('nothing is waited for past the deadline', async () => {
  const { call, up, clock } = await rig({ terms: { wallClockMs: 1_000 } });
  up.answers = [says(500)];
  expect((await call()).headers['x-should-retry']).toBe('false');
  expect(clock.slept).toEqual([375]);
});

/** A credential that is renewed to the next one. */
function renewable(values: string[]): ApiCredential & { readonly renewals: () => number } {
  let at = 0;
  return {
    renewals: () => at,
    current: async () => ({ 'x-api-key': values[Math.min(at, values.length - 1)] ?? '' }),
    renew: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      at += 1;
      return true;
    },
  };
}

it('decision 15: eight workers that meet a 401 at once renew the credential once, and go on', async () => {
  const credential = renewable(['old-credential', 'new-credential']);
  const { call, up, pass } = await rig({ credential });
  up.answers = [
    (response, { headers }) =>
      says(headers['x-api-key'] === 'new-credential' ? 200 : 401)(response, response.req),
  ];
  const answers = await Promise.all(Array.from({ length: 8 }, () => call()));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(credential.renewals()).toBe(1);
  expect(pass.record().trouble).toBeUndefined();
});

it('a refusal that comes late, of a credential that was renewed meanwhile, renews nothing', async () => {
  const credential = renewable(['old-credential', 'new-credential', 'newest-credential']);
  const { call, up } = await rig({ credential });
  let refuseLate = () => {};
  const isHeld = new Promise<void>((resolve) => {
    up.answers = [
      (response, request) => {
        refuseLate = () => says(401)(response, request);
        resolve();
      },
      says(401),
      says(200),
    ];
  });
  const late = call();
  await isHeld;
  expect((await call()).status).toBe(200);
  refuseLate();
  expect((await late).status).toBe(200);
  expect(credential.renewals()).toBe(1);
  expect(up.seen.at(-1)?.headers['x-api-key']).toBe('new-credential');
});

it('O-17: a credential that is still refused is refused for good', async () => {
  const credential = renewable(['old-credential', 'new-credential']);
  const { call, up, pass } = await rig({ credential });
  up.answers = [says(401, {}, '{"error":"theirs"}')];
  expect(await call()).toMatchObject({
    ...{ status: 401, body: '{"error":"theirs"}' },
    headers: { 'x-should-retry': 'false' },
  });
  expect(up.seen.map(({ headers }) => headers['x-api-key'])).toEqual([
    'old-credential',
    'new-credential',
  ]);
  expect(pass.record().trouble).toMatchObject({ kind: 'account' });
});

it('a key that can not be renewed is tried once more after a pause', async () => {
  const { call, up, clock } = await rig();
  up.answers = [says(401), says(200)];
  expect((await call()).status).toBe(200);
  expect(clock.slept).toEqual([1000]);
});

it('the pass that waits is dismissed: the wait ends, and nothing more is sent', async () => {
  const { call, up, pass } = await rig({
    clock: {
      now: () => 0,
      wall: () => WALL,
      sleep: (_, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve());
          pass.dismiss();
        }),
    },
  });
  up.answers = [says(500)];
  await expect(call({ headers: { 'x-api-key': TOKEN } })).rejects.toMatchObject({
    code: 'ECONNRESET',
  });
  expect(up.seen.length).toBe(1);
});
