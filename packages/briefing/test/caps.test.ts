import { expect, test } from 'vitest';
import { type BriefingInput, composeBriefing } from '../src/index.ts';
import { readBriefing } from './read-briefing.ts';

const plain: BriefingInput = {
  task: { id: 'a' },
  attempt: 1,
  maxAttempts: 5,
  handIn: 'structured-output',
};

test('of many answers the latest are told, and the others counted', () => {
  const answers = Array.from({ length: 23 }, (_, index) => ({
    ...{ question: `q${index}`, answer: `a${index}` },
  }));
  const { fences, outside } = readBriefing(composeBriefing({ ...plain, answers }));
  const given = fences.filter(({ label }) => label === 'answer').map(({ text }) => text);
  expect(given).toEqual(answers.slice(3).map(({ answer }) => answer));
  expect(outside).toContain('\n3 older answers are not shown.\n');
});

test('whatever a field holds, a briefing has an end', () => {
  const big = 'x\u0007'.repeat(100_000);
  const { fences } = readBriefing(
    composeBriefing({
      ...plain,
      task: { id: 'a', description: big, acceptance: big, reads: [big, 'b'] },
      previous: { summary: big, findings: big, notes: big },
      upstream: [{ taskId: 'u', notes: big, artifacts: [big, 'b'] }],
      answers: [{ question: big, answer: big }],
    }),
  );
  const cuts = Object.fromEntries(fences.map(({ label, cut }) => [label, cut]));
  expect(cuts).toEqual({
    task_id: 0,
    reads: 1,
    description: 180_000,
    acceptance: 180_000,
    'earlier task': 0,
    artifacts: 1,
    notes: 198_000,
    'previous attempt': 196_000,
    findings: 192_000,
    'worker notes': 198_000,
    question: 198_000,
    answer: 192_000,
  });
});
