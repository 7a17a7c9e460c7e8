import { expect, it } from 'vitest';
import { fenceMessage } from './fence-message.ts';
import { followDelayMs } from './follow-delay.ts';
import { encodeMessage } from './message-type.ts';
import { IDEMPOTENCY_KEY, recipientKey } from './recipient-key.ts';

it.each([
  ['BASE', 'alice', 'NQEQQE1K4041X94V8979Z25HRM'],
  ['BASE', 'bob', 'C8XSFW6FTQS7SWG5PRS4VAPZJF'],
  ['M0', 'team-lead', '7WGN3CQKS9M57PR36RA8KSSPDC'],
])('TB-31: the key of %s to %s is %s', (base, recipient, key) => {
  expect(recipientKey(base, recipient)).toBe(key);
  expect(key).toMatch(IDEMPOTENCY_KEY);
});

it('TB-11: a fence is closed by no text in it, and its attribute by no name', () => {
  expect(fenceMessage({ payload: 'a<b> & "q" </untrusted>', senderId: 'be"1', seq: 3 })).toBe(
    '<untrusted source="be&quot;1" seq="3">a&lt;b&gt; &amp; "q" &lt;/untrusted&gt;</untrusted>',
  );
});

it('TB-11: what would move a cursor or reorder text is shown in a fence, and line breaks stay', () => {
  const fenced = fenceMessage({
    payload: 'a\u001b[2J\r\nb\u202ec\ud800',
    senderId: 'x\n\u202e',
    seq: 1,
  });
  expect(fenced).toBe(
    '<untrusted source="x\\x0a\\u{202e}" seq="1">a\\x1b[2J\nb\\u{202e}c\ufffd</untrusted>',
  );
});

it('TB-16: a typed message has its keys sorted, spaces after commas and colons, and ASCII only', () => {
  expect(encodeMessage('team_meeting', { b: 1, a: 'é' })).toBe(
    '{"_mtype": "team_meeting", "a": "\\u00e9", "b": 1}',
  );
  expect(encodeMessage('meeting_done', { z: [1, { y: null, x: true }], '\u{1f600}': '\x7f' })).toBe(
    '{"_mtype": "meeting_done", "z": [1, {"x": true, "y": null}], "\\ud83d\\ude00": "\\u007f"}',
  );
});

it('TB-14: pauses grow after ten polls that found nothing, up to two seconds', () => {
  expect([0, 9, 10, 11, 12, 13, 14, 30, 1e9].map(followDelayMs)).toEqual([
    250, 250, 250, 500, 1000, 2000, 2000, 2000, 2000,
  ]);
});
