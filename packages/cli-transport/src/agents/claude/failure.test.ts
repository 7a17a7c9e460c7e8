import { describe, expect, it } from 'vitest';
import { failureOf, failureOfLine } from './failure.ts';

const NOW = Date.UTC(2026, 10, 29, 19, 30);
const apiError = (over: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  terminal_reason: 'api_error',
  api_error_status: null,
  result: '',
  ...over,
});

describe('decision 15: the class of a failure', () => {
  it.each([
    ['usage-limit', { api_error: 'usage_limit_reached', api_error_status: 429 }],
    [
      'usage-limit',
      { result: "You've hit your 5-hour limit · resets 9:31pm (UTC)", api_error_status: 429 },
    ],
    ['usage-limit', { result: "You've hit your limit", terminal_reason: 'blocking_limit' }],
    [
      'usage-limit',
      {
        result: 'API Error: 400 You have reached your specified API usage limits. You will …',
        api_error_status: 400,
      },
    ],
    ['account', { api_error_status: 401, result: 'Failed to authenticate. API Error: 401' }],
    ['account', { api_error_status: 402, result: 'API Error: 402 billing' }],
    ['account', { api_error_status: 403 }],
    ['account', { api_error_status: 404, result: "There's an issue with the selected model" }],
    ['account', { api_error_status: 400, result: 'Credit balance is too low' }],
    ['account', { result: 'Not logged in · Please run /login' }],
    ['account', { result: 'Failed to authenticate: OAuth session expired' }],
    ['overloaded', { api_error_status: 429, result: 'API Error: Request rejected (429) · slow' }],
    ['overloaded', { api_error_status: 529 }],
    ['overloaded', { api_error_status: 500 }],
    ['overloaded', { api_error: 'connection_failed' }],
    ['overloaded', { api_error: 'stream_idle_timeout' }],
    ['overloaded', { result: 'Request timed out. Check your connection' }],
    ['request', { api_error_status: 400, result: 'API Error: 400 messages.0: odd' }],
    ['request', { api_error_status: 413, terminal_reason: 'image_error' }],
    ['request', { api_error_status: 400, terminal_reason: 'prompt_too_long' }],
    ['request', { terminal_reason: 'blocking_limit', result: 'Prompt is too long' }],
    ['no-reply', { subtype: 'error_max_structured_output_retries' }],
    ['exit', { subtype: 'error_max_turns', terminal_reason: 'max_turns' }],
    ['budget', { subtype: 'error_max_budget_usd', terminal_reason: 'budget_exhausted' }],
    ['request', { stop_reason: 'refusal', result: "API Error: Sonnet's safeguards flagged this" }],
    ['account', { api_error: 'org_disabled_credential' }],
    ['request', { api_error: 'long_context_credits_required', api_error_status: 429 }],
    ['overloaded', { result: 'API returned an empty or malformed response (HTTP 200)' }],
    ['overloaded', { result: 'API Error: Stream ended without receiving any events' }],
    ['exit', { result: 'a worker wrote: Stream ended without receiving any events' }],
    ['exit', { api_error_status: '401', result: 7 }],
  ])('%s: %o', (cause, over) => {
    expect(failureOf(apiError(over), NOW).cause).toBe(cause);
  });

  it.each([
    ['in the middle of its text', { result: "The log says: You've hit your limit" }],
    ['in a record without an error', { is_error: false, result: "You've hit your limit" }],
    [
      'as the last prose of an aborted run',
      { subtype: 'error_during_execution', result: 'Not logged in' },
    ],
    ['as a kind that is no error', { is_error: false, stop_reason: 'refusal' }],
    ['in its structured output', { structured_output: { notes_md: 'Credit balance is too low' } }],
  ])('a worker that quotes such a message %s triggers nothing', (_, over) => {
    expect(failureOf(apiError(over), NOW).cause).toBe('exit');
  });

  it('knows when a usage limit ends', () => {
    const result = "You've hit your 5-hour limit · resets 9:31pm (UTC)";
    expect(failureOf(apiError({ result, api_error_status: 429 }), NOW).resumeAt).toBe(
      Date.UTC(2026, 10, 29, 21, 31),
    );
  });

  it('tells the subtype, the reason, the status and the text, printable and bounded', () => {
    const { detail } = failureOf(
      apiError({ api_error_status: 500, result: `\x1b[2J${'x'.repeat(5000)}` }),
      NOW,
    );
    expect(detail).toMatch(/^success api_error HTTP 500: \\x1b\[2Jx+…$/);
    expect(detail.length).toBeLessThanOrEqual(400);
  });

  it('tells the first of the errors that are no API error', () => {
    const record = apiError({ subtype: 'error_max_turns', errors: ['Reached 2 turns', 'more'] });
    expect(failureOf(record, NOW).detail).toBe('error_max_turns api_error: Reached 2 turns');
  });
});

describe('failureOfLine', () => {
  it.each(['Update available', '> Not logged in', 'note: Claude AI usage limit reached|1', ''])(
    'means nothing: %s',
    (line) => {
      expect(failureOfLine(line, NOW)).toBeUndefined();
    },
  );
});
