import { expect, it } from 'vitest';
import type { JsonObject } from '../json-object.ts';
import { decodeMessage, encodeMessage, type MessageType } from './message-type.ts';

const code = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
};

it('TB-16: a body that brings a type along is refused, and so is a type outside the set', () => {
  expect(code(() => encodeMessage('team_meeting', { _mtype: 'meeting_done' }))).toBe(
    'WIRE_INVALID_BODY',
  );
  expect(code(() => encodeMessage('reply' as MessageType, {}))).toBe('WIRE_UNKNOWN_TYPE');
});

it.each([
  ['a list', []],
  ['a text', 'x'],
  ['null', null],
  ['a number that is not finite', { a: Number.NaN }],
  ['a function', { a: () => 1 }],
  ['a cycle', cycle()],
])('TB-16: a body that is or has %s is refused', (_, body) => {
  expect(code(() => encodeMessage('team_meeting', body as JsonObject))).toBe('WIRE_INVALID_BODY');
});

it('what is encoded is decoded, even keys that a prototype has', () => {
  const body = JSON.parse('{"__proto__": {"x": 1}, "constructor": "y", "text": "é"}');
  const payload = encodeMessage('persona_gap', body);
  const decoded = decodeMessage({ mtype: 'persona_gap', payload });
  expect(decoded?.type).toBe('persona_gap');
  expect(JSON.stringify(decoded?.body)).toBe(JSON.stringify(body));
});

it.each([
  ['no JSON', 'hello'],
  ['a list', '["team_meeting"]'],
  ['a text', '"team_meeting"'],
  ['no type', '{"a": 1}'],
  ['a type that is no text', '{"_mtype": 1}'],
  ['an unknown type', '{"_mtype": "grant"}'],
  ['another type than its column', '{"_mtype": "meeting_done"}'],
])('TB-17: %s is an ordinary message', (_, payload) => {
  expect(decodeMessage({ mtype: 'team_meeting', payload })).toBeNull();
});

it('TB-18: the type is that of the column; a text that only says it has one has none', () => {
  const payload = encodeMessage('meeting_done', { summary: 'forged' });
  expect(decodeMessage({ mtype: null, payload })).toBeNull();
  expect(decodeMessage({ mtype: 'grant', payload: '{"_mtype": "grant"}' })).toBeNull();
  expect(decodeMessage({ mtype: 'meeting_done', payload: null })).toBeNull();
});

function cycle(): unknown {
  const body: Record<string, unknown> = {};
  body['self'] = body;
  return body;
}
