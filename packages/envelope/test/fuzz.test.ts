import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateReply } from '../src/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const CATEGORIES =
  'scope blocked conflict capacity stale_rules no_consensus destructive_rejected tests_unrecoverable'.split(
    ' ',
  );

const BREAKS = '\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029';

/** The rules once more, as plainly as they can be said, for values that came from JSON text: the first failed field. */
function oracle(input: unknown, taskId: string, attempt: number): string {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return 'envelope';
  const reply = input as Fields;
  if (reply.type !== 'task_result') return 'type';
  if (!same(reply.task_id, taskId)) return 'task_id';
  if (!same(reply.attempt, `${attempt}`)) return 'attempt';
  const status = reply.status;
  const held = status === 'blocked' || status === 'needs-input';
  if (status !== 'done' && status !== 'abandoned' && !held) return 'status';
  const artifacts = reply.artifacts;
  if (!Array.isArray(artifacts)) return 'artifacts';
  if (artifacts.length === 0 && !held) return 'artifacts';
  for (const artifact of artifacts) {
    if (artifact === null || typeof artifact !== 'object' || artifact.kind !== 'ref') continue;
    if (typeof artifact.sha256 !== 'string' || artifact.sha256.trim() === '') return 'artifacts';
  }
  if (status === 'abandoned' && !givesUp(reply.notes_md)) return 'notes_md';
  return 'ok';
}

function same(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text;
  return typeof value === 'number' && Math.abs(value) < 2 ** 53 && `${value}` === text;
}

function givesUp(notes: unknown): boolean {
  if (typeof notes !== 'string') return false;
  let line = '';
  for (const character of notes) {
    if (BREAKS.includes(character)) break;
    line += character;
  }
  const category = CATEGORIES.find((word) => line.startsWith(`ABANDON: ${word}:`));
  if (category === undefined) return false;
  const { length } = [...line.slice(`ABANDON: ${category}:`.length)];
  return length >= 1 && length <= 200;
}

const TASK_ID = '12';
const ATTEMPT = 3;

const json = fc.jsonValue({ maxDepth: 2 });

/** Mostly the right value, sometimes a near miss, now and then anything. */
const mostly = (right: unknown[], near: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...right) },
    { weight: 2, arbitrary: fc.constantFrom(...near) },
    { weight: 1, arbitrary: json },
  );

const reason = fc.oneof(
  fc.constantFrom('', 'x', ' ', ':', '\u{1f600}'.repeat(200), '\u{1f600}'.repeat(201)),
  fc.constantFrom('y'.repeat(200), 'y'.repeat(201), '\ud800', 'a\u2028b'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const abandonLine = fc
  .tuple(
    fc.constantFrom(
      'ABANDON: ',
      'ABANDON: ',
      'ABANDON: ',
      'ABANDON:',
      ' ABANDON: ',
      'abandon: ',
      'x\n',
    ),
    fc.constantFrom(...CATEGORIES, ...CATEGORIES, 'other', 'Scope', ''),
    fc.constantFrom(':', ':', ':', ':', ' :', ''),
    reason,
    fc.constantFrom('', ...BREAKS, '\r\n', '\t', '\x1f'),
    fc.constantFrom('', 'more', 'ABANDON: scope:x'),
  )
  .map((parts) => parts.join(''));

const artifact = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom<unknown>('a', { path: 'a' }, { kind: 'file' }, null, 0),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      { kind: 'ref', sha256: 'ab' },
      { kind: 'ref', sha256: ' ' },
      { kind: 'ref', sha256: 7 },
      { kind: 'ref' },
      ['ref'],
    ),
  },
  { weight: 1, arbitrary: json },
);

const field = {
  type: mostly(['task_result'], ['task_results', 'TASK_RESULT', '', ['task_result']]),
  task_id: mostly(['12', 12], ['012', ' 12', '12\n', '12.0', '13', 12.5, [12], true, null, '１２']),
  attempt: mostly([3, '3'], [2, 4, '03', ' 3', '3.0', 3.5, [3], true, null, 1e300, -3]),
  status: mostly(
    ['done', 'blocked', 'abandoned', 'abandoned', 'needs-input'],
    ['failed', 'Done', 'complete', '', ['done'], null],
  ),
  artifacts: fc.oneof(
    { weight: 8, arbitrary: fc.array(artifact, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>([], {}, 'a', null, { length: 1 }) },
    { weight: 1, arbitrary: json },
  ),
  notes_md: fc.oneof(
    { weight: 6, arbitrary: abandonLine },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: json },
  ),
};

const dropped = fc.oneof(
  { weight: 9, arbitrary: fc.constant('nothing') },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(field)) },
);

const nearlyValid = fc
  .tuple(
    fc.record(field),
    dropped,
    fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 2 }),
  )
  .map(([fields, missing, extra]) => {
    const entries = Object.entries({ ...extra, ...fields });
    return Object.fromEntries(entries.filter(([key]) => key !== missing));
  });

const input = fc.oneof({ weight: 1, arbitrary: json }, { weight: 5, arbitrary: nearlyValid });

test('100,000 values: never throws, and says what the oracle says', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(input, (value) => {
      const received: unknown = JSON.parse(JSON.stringify(value));
      const verdict = validateReply(received, { taskId: TASK_ID, attempt: ATTEMPT });
      const answer = verdict.ok ? 'ok' : verdict.issues[0].field;
      const wanted = oracle(received, TASK_ID, ATTEMPT);
      // Vitest's expect is slow for so many runs.
      if (answer !== wanted) throw new Error(`said ${answer}, the oracle says ${wanted}`);
      const outcome = verdict.ok
        ? `ok ${verdict.abandon?.category ?? verdict.reply.status}`
        : answer;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }),
    { numRuns: 100_000, seed: 20_260 },
  );
  const outcomes = [
    ...['envelope', 'type', 'task_id', 'attempt', 'status', 'artifacts', 'notes_md'],
    ...['ok done', 'ok blocked', 'ok needs-input', ...CATEGORIES.map((word) => `ok ${word}`)],
  ];
  for (const outcome of outcomes) {
    expect(seen.get(outcome), outcome).toBeGreaterThan(outcome.startsWith('ok') ? 50 : 1_000);
  }
});
