import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BriefingInput, composeBriefing } from '../src/index.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });

/** Settings that all tasks of a run share. */
const run = fc.record(
  {
    maxAttempts: fc.integer({ min: 1, max: 5 }),
    handIn: fc.constantFrom('reply-file' as const, 'structured-output' as const),
    wallClockMs: fc.integer({ min: 1000, max: 3_600_000 }),
  },
  { requiredKeys: ['maxAttempts', 'handIn'] },
);

const asked = { taskId: text, title: text, description: text, acceptance: text };

/** What all attempts of a task share. */
const task = fc.record(
  {
    task: fc.record(
      { id: text, title: text, description: text, verify: text, phase: text, persona: text },
      { requiredKeys: ['id'] },
    ),
    procedure: text,
    wave: fc.record({ group: fc.integer({ min: 1 }) }),
    asked: fc.record(asked),
    upstream: fc.array(fc.record({ taskId: text, notes: text, artifacts: fc.array(text) }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: ['task'] },
);

/** What is one attempt's alone. */
const attempt = fc.record(
  {
    attempt: fc.integer({ min: 1, max: 5 }),
    previous: fc.record({ summary: text, findings: text, notes: text, ref: text }),
    answers: fc.array(fc.record({ question: text, answer: text }), { maxLength: 2 }),
    done: fc.record({
      attempt: fc.integer({ min: 1, max: 5 }),
      notes: text,
      files: fc.array(fc.record({ path: text, status: fc.constant('added' as const) })),
      base: fc.constantFrom('a'.repeat(40), ''),
    }),
  },
  { requiredKeys: ['attempt', 'done'] },
);

type Values<Made> = Made extends fc.Arbitrary<infer Value> ? Value : never;

function briefing(
  shared: Values<typeof run>,
  { asked, ...ofTask }: Values<typeof task>,
  { done, ...ofAttempt }: Values<typeof attempt>,
): string {
  const input: BriefingInput = { ...shared, ...ofTask, ...ofAttempt };
  return composeBriefing(asked === undefined ? input : { ...input, review: { ...asked, ...done } });
}

const RUN_ENDS = /\n\n# (?:Your role|How this phase goes|What to build|Wave and phase|Your task)\n/;

test('the briefings of all tasks of a run begin with the same bytes', () => {
  fc.assert(
    fc.property(run, task, task, attempt, attempt, (shared, one, other, first, second) => {
      const [head = ''] = briefing(shared, one, first).split(RUN_ENDS);
      const [otherHead] = briefing(shared, other, second).split(RUN_ENDS);
      expect(head.length).toBeGreaterThan(2500);
      expect(otherHead).toBe(head);
    }),
    { numRuns: 150 },
  );
});

const ATTEMPT_BEGINS = '\n\n# This attempt\n\nattempt: ';

test('the briefings of all attempts of a task are the same bytes up to what is the attempt’s', () => {
  fc.assert(
    fc.property(run, task, attempt, attempt, (shared, one, first, second) => {
      const parts = briefing(shared, one, first).split(ATTEMPT_BEGINS);
      expect(parts).toHaveLength(2);
      expect(briefing(shared, one, second).split(ATTEMPT_BEGINS)[0]).toBe(parts[0]);
    }),
    { numRuns: 150 },
  );
});

test('the attempt number is nowhere before the attempt’s section', () => {
  const input = { task: { id: 'a' }, maxAttempts: 5, handIn: 'reply-file' } as const;
  const [, section = ''] = composeBriefing({ ...input, attempt: 4 }).split('# This attempt');
  expect(section).toBe('\n\nattempt: 4 (of at most 5)\n');
});

const names = fc.array(text, { maxLength: 4 });

test('the order of a list does not reach the briefing', () => {
  fc.assert(
    fc.property(names, fc.uniqueArray(text, { maxLength: 4 }), (list, ids) => {
      const told = (paths: string[], tasks: string[]): string =>
        composeBriefing({
          task: { id: 'a', writes: paths, must_produce: paths, reads: paths },
          attempt: 1,
          maxAttempts: 5,
          handIn: 'reply-file',
          wave: { group: 1, peers: tasks },
          upstream: tasks.map((taskId) => ({ taskId, artifacts: paths })),
          review: {
            ...{ taskId: 'b', attempt: 1, base: '' },
            files: paths.map((path) => ({ path, status: 'modified' })),
          },
        });
      expect(told([...list].reverse(), [...ids].reverse())).toBe(told(list, ids));
    }),
    { numRuns: 150 },
  );
});
