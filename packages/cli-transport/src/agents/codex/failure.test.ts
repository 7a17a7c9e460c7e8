import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.ts';

const NOW = Date.UTC(2026, 10, 30, 14, 30);

describe('what the program says went wrong (texts of version 0.171.0)', () => {
  it.each([
    ['account', 'unexpected status 401 Unauthorized: Incorrect API key, url: http://127.0.0.1/v1'],
    ['account', 'unexpected status 403 Forbidden: not allowed, url: http://127.0.0.1/v1/responses'],
    ['account', 'unexpected status 404 Not Found: no such thing'],
    ['account', 'The model `none` does not exist or you do not have access to it.'],
    ['account', 'Quota exceeded. Check your plan and billing details.'],
    ['account', 'Your workspace is out of credits. Add credits to continue.'],
    ['account', '{"error":{"message":"gone","code":"model_not_found"}}'],
    ['account', `{"detail":"The 'x' model is not supported when using Codex with an account."}`],
    ['usage-limit', 'You’ve hit your usage limit. Upgrade to Pro or try again later.'],
    ['overloaded', 'exceeded retry limit, last status: 429 Too Many Requests, request id: req_1'],
    ['overloaded', 'unexpected status 503 Service Unavailable: overloaded'],
    ['overloaded', 'We’re currently experiencing high demand, which may cause temporary errors.'],
    ['overloaded', 'Selected model is at capacity. Please try a different model.'],
    ['overloaded', 'rate limit exceeded: Please try again in 11s.'],
    ['overloaded', 'Connection failed: error sending request'],
    ['overloaded', 'stream disconnected before completion: idle timeout waiting for SSE'],
    ['request', "Codex ran out of room in the model's context window. Start a new thread."],
    ['request', 'unexpected status 413 Payload Too Large: too large'],
    ['request', '{"error":{"message":"bad thing","code":null}}'],
    ['request', '{"detail":"something else"}'],
    ['exit', 'refused by policy'],
    ['exit', ''],
  ])('%s: %s', (cause, message) => {
    expect(failureOf(message, NOW)).toMatchObject({ cause, detail: expect.stringMatching(/./) });
  });

  it('counts by how it begins, whatever it goes on to quote', () => {
    for (const quoted of [
      "You've hit your usage limit.",
      'Quota exceeded.',
      'unexpected status 401',
    ])
      expect(failureOf(`a tool said: ${quoted}`, NOW).cause).toBe('exit');
    const upstream = 'unexpected status 500 Internal Server Error: Quota exceeded. 401';
    expect(failureOf(upstream, NOW).cause).toBe('overloaded');
  });

  it.each([
    ['try again at Sep 21st, 2027 2:13 PM.', Date.UTC(2027, 8, 21, 14, 13)],
    ['visit a page or try again at Dec 2nd, 2026 12:05 AM.', Date.UTC(2026, 11, 2, 0, 5)],
    ['try again at 2:31 PM.', Date.UTC(2026, 10, 30, 14, 31)],
    ['try again at 2:30 PM.', Date.UTC(2026, 11, 1, 14, 30)],
    ['try again later.', undefined],
  ])('a usage limit ends when it says: %s', (rest, resumeAt) => {
    const failure = failureOf(`You've hit your usage limit. Or ${rest}`, NOW);
    expect(failure.cause).toBe('usage-limit');
    expect(failure.resumeAt).toBe(resumeAt);
  });

  it('tells it on one safe line of bounded length', () => {
    const { detail } = failureOf(`odd \u001b[2J\n${'x'.repeat(5_000)}`, NOW);
    expect(detail).not.toMatch(/\p{Cc}/u);
    expect(detail.length).toBeLessThan(600);
  });
});
