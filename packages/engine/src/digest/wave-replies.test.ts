import { expect, test } from 'vitest';
import { waveReplies } from './wave-replies.ts';

/** A worker that says as much as it can in characters that are shown as long escapes. */
const hostile = (index: number) => ({
  taskId: `t${index}`,
  attempt: 1,
  reply: {
    ...{ type: 'task_result' as const, task_id: `t${index}`, attempt: 1, status: 'done' as const },
    artifacts: Array.from({ length: 20 }, () => ({ path: '\u202e'.repeat(300) })),
    notes_md: '\u{e0001}'.repeat(400),
  },
});

test('3.11: a digest has a bound, whatever workers write: the replies beyond it are counted', () => {
  const replies = waveReplies();
  for (let index = 0; index < 500; index += 1) {
    replies.add(hostile(index));
    replies.add(hostile(index));
  }
  const digest = replies.digest();
  const blocks = digest.split('\n\n');
  expect(new TextEncoder().encode(digest).length).toBeLessThanOrEqual(256 * 1024 + 64);
  expect(blocks.at(-1)).toBe(`+${500 - (blocks.length - 1)} more replies`);
  expect(blocks.length).toBeGreaterThan(10);
  expect(replies.bytes()).toBeGreaterThan(500 * 400 * 4);
});

test('3.11: one reply is never too long to be told', () => {
  const replies = waveReplies();
  replies.add(hostile(1));
  expect(replies.digest()).toMatch(/^task_id=t1 /);
  expect(replies.digest()).not.toContain('more repl');
});
