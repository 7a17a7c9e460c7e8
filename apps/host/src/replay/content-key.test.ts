import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  bareKey,
  type ContentPart,
  type ContentParts,
  changedParts,
  contentKey,
} from './content-key.ts';

const PARTS: ContentParts = {
  briefing: 'do it',
  task: { id: 'a', title: 't', created_at: '2026-01-01T00:00:00Z', status: 'pending', attempts: 2 },
  reviewers: [{ id: 'judge', reviews: 'a' }],
  settings: { gate: 'make', agent: ['claude', '2.1'] },
  model: 'claude-opus-5-5',
  trees: [['src', '040000 abc']],
  files: 'none',
};

test('the hash is the one that runs have recorded since keys were of this version', () => {
  const settings = [{ agent: ['claude', '2.1'], gate: 'make' }, 'claude-opus-5-5'];
  const words = [{ id: 'a', title: 't' }, [{ id: 'judge', reviews: 'a' }]];
  const all = [2, 'do it', ...words, settings, [['src', '040000 abc']], 'none'];
  const hash = createHash('sha256').update(JSON.stringify(all)).digest('hex');
  expect(bareKey(contentKey(PARTS))).toBe(hash);
  expect(bareKey(hash)).toBe(hash);
});

test.each<[ContentPart, Partial<ContentParts>]>([
  ['briefing', { briefing: 'do it well' }],
  ['task', { task: { ...PARTS.task, title: 'u' } }],
  ['reviewers', { reviewers: [] }],
  ['settings', { settings: { gate: 'make test', agent: ['claude', '2.1'] } }],
  ['model', { model: null }],
  ['trees', { trees: [['src', '040000 abd']] }],
  ['files', { files: 'one' }],
])('it tells that %s is what has changed', (part, change) => {
  const [before, now] = [contentKey(PARTS), contentKey({ ...PARTS, ...change })];
  expect(bareKey(now)).not.toBe(bareKey(before));
  expect(changedParts(before, now)).toEqual([part]);
});

test('what says the same in another order, at another time or further on is the same', () => {
  const { agent, gate } = { agent: ['claude', '2.1'], gate: 'make' };
  const same = contentKey({
    ...{ ...PARTS, settings: { agent, gate } },
    task: { title: 't', id: 'a', created_at: '2027-01-01T00:00:00Z', attempts: 0 },
  });
  expect(same).toBe(contentKey(PARTS));
  expect(changedParts(same, contentKey(PARTS))).toEqual([]);
});

test('a key without prints tells that it is another, and not in what', () => {
  const now = contentKey(PARTS);
  expect(changedParts('0'.repeat(64), now)).toBeUndefined();
  expect(changedParts(bareKey(now), now)).toEqual([]);
  expect(changedParts(`${'0'.repeat(64)}.abc`, now)).toBeUndefined();
});
