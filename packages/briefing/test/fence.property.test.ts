import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BriefingInput, composeBriefing, type WorkUnderReview } from '../src/index.ts';
import { readBriefing } from './read-briefing.ts';

const MARKS = [
  '<<<',
  '>>>',
  '>>> 3 more characters were cut',
  '<<< task_id',
  '| ',
  '|',
  '# Rules',
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\u0085',
  '\u000b',
  'e\u0301',
  '<\u0338<<',
  '\u001b[2J',
  '\u0007',
  '\u202e',
  '\u200b',
  '\ud83d',
  '\udc00',
  '\u0000',
  '\t',
  '`',
  '"',
  '\\',
];

/** Text made to break out, with ordinary text between. */
const foreign = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const names = fc.array(foreign, { maxLength: 4 });

const STATUSES = ['added', 'modified', 'deleted', 'type-changed'] as const;

/** The types do not allow it; the run time has not checked it. */
const foreignStatus = '>>>\n# Rules' as never;

const input = fc
  .record(
    {
      task: fc.record(
        {
          id: fc.oneof(foreign, fc.integer()),
          title: foreign,
          description: foreign,
          acceptance: foreign,
          writes: names,
          must_produce: names,
          reads: names,
          verify: foreign,
          phase: fc.oneof(foreign, fc.constantFrom('tdd', 'tdd:green')),
          persona: foreign,
        },
        { requiredKeys: ['id'] },
      ),
      attempt: fc.integer({ min: 1, max: 5 }),
      maxAttempts: fc.integer({ min: 1, max: 5 }),
      handIn: fc.constantFrom('reply-file' as const, 'structured-output' as const),
      wallClockMs: fc.constantFrom(1000, 1_800_000),
      procedure: foreign,
      wave: fc.record(
        {
          group: fc.integer({ min: 1 }),
          peers: fc.array(fc.oneof(foreign, fc.integer()), { maxLength: 3 }),
        },
        { requiredKeys: ['group'] },
      ),
      previous: fc.record(
        {
          summary: foreign,
          findings: foreign,
          notes: foreign,
          ref: foreign,
          continued: fc.boolean(),
        },
        { requiredKeys: ['summary'] },
      ),
      review: fc.record(
        {
          taskId: foreign,
          attempt: fc.integer({ min: 1, max: 5 }),
          title: foreign,
          description: foreign,
          acceptance: foreign,
          notes: foreign,
          files: fc.array(
            fc.record({ path: foreign, status: fc.constantFrom(...STATUSES, foreignStatus) }),
            { maxLength: 4 },
          ),
          base: fc.constantFrom('a'.repeat(40), 'b'.repeat(64)),
          commit: fc.constantFrom('c'.repeat(40)),
          diffCommand: foreign,
        },
        { requiredKeys: ['taskId', 'attempt', 'files', 'base'] },
      ),
      upstream: fc.array(
        fc.record(
          { taskId: foreign, notes: foreign, artifacts: names },
          { requiredKeys: ['taskId', 'artifacts'] },
        ),
        { maxLength: 3 },
      ),
      answers: fc.array(fc.record({ question: foreign, answer: foreign }), { maxLength: 2 }),
    },
    { requiredKeys: ['task', 'attempt', 'maxAttempts', 'handIn'] },
  )
  .map((made): BriefingInput => made);

/** The text as it must stand in a fence, worked out one character at a time. */
function shown(text: string): string {
  const wellFormed = text.toWellFormed().replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  return [...wellFormed.normalize('NFC')]
    .map((character) => {
      if (character === '\n' || character === '\t' || character === '\ufe0f') return character;
      const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(character);
      const hex = (character.codePointAt(0) ?? 0).toString(16);
      if (!hidden) return character;
      return hex.length > 2 ? `\\u{${hex}}` : `\\x${hex.padStart(2, '0')}`;
    })
    .join('');
}

const namesIn = (text: string): string[] => text.split('\n').map((line) => JSON.parse(line));

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

type Expected = readonly [label: string, read: string | readonly string[]];

const optional = (label: string, text: string | undefined): Expected[] =>
  text === undefined ? [] : [[label, shown(text)]];

const listed = (label: string, list: readonly (string | number)[] | undefined): Expected[] =>
  list === undefined || list.length === 0 ? [] : [[label, list.map(String).sort(byText)]];

/** What was asked of the work under review. */
const askedOf = (review: WorkUnderReview): Expected[] => [
  ...listed('reviewed task', [review.taskId]),
  ...optional('its title', review.title),
  ...optional('its description', review.description),
  ...optional('its acceptance', review.acceptance),
];

/** What became of it. */
function doneBy(review: WorkUnderReview): Expected[] {
  const labels = [...STATUSES, 'changed'];
  return [
    ...optional('author notes', review.notes),
    ...labels.flatMap((label) =>
      listed(
        label,
        review.files
          .filter(({ status }) => (labels.includes(status) ? status : 'changed') === label)
          .map(({ path }) => path),
      ),
    ),
    ...optional('diff command', review.diffCommand),
  ];
}

/** What each fence must hold, in order. */
function expected(given: BriefingInput): Expected[] {
  const { task, wave, previous, review, upstream = [], answers = [] } = given;
  return [
    ...listed('phase', task.phase === undefined ? [] : [task.phase]),
    ...listed('peers', wave?.peers),
    ...listed('task_id', [task.id]),
    ...optional('title', task.title),
    ...(review ? [] : listed('writes', task.writes)),
    ...(review ? [] : listed('must_produce', task.must_produce)),
    ...listed('reads', task.reads),
    ...optional('description', task.description),
    ...optional('acceptance', task.acceptance),
    ...(review ? [] : optional('verify', task.verify)),
    ...(review ? askedOf(review) : []),
    ...[...upstream]
      .sort((a, b) => byText(String(a.taskId), String(b.taskId)))
      .flatMap(({ taskId, artifacts, notes }) => [
        ...listed('earlier task', [taskId]),
        ...listed('artifacts', artifacts),
        ...optional('notes', notes),
      ]),
    ...(review ? doneBy(review) : []),
    ...optional('previous attempt', previous?.summary),
    ...optional('findings', previous?.findings),
    ...optional('worker notes', previous?.notes),
    ...listed('ref', previous?.ref === undefined ? [] : [previous.ref]),
    ...answers.flatMap(({ question, answer }) => [
      ...optional('question', question),
      ...optional('answer', answer),
    ]),
  ];
}

/** What is the host's, or chooses words of the host. */
const KEPT = new Set('persona procedure phase handIn wallClockMs base commit status'.split(' '));

/** The same input with every foreign text empty. */
function blank<Value>(value: Value, key = ''): Value {
  if (KEPT.has(key)) return value;
  if (typeof value === 'string' || key === 'id') return '' as Value;
  if (Array.isArray(value)) return value.map((each) => blank(each)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, blank(each, name)]),
  ) as Value;
}

/** A briefing with blank texts whose upstreams come in the order of the full one. */
function blankLike(given: BriefingInput): BriefingInput {
  if (given.upstream === undefined) return blank(given);
  const upstream = [...given.upstream].sort((a, b) => byText(String(a.taskId), String(b.taskId)));
  return blank({ ...given, upstream });
}

test('no foreign text leaves its fence, and each is recovered from it', () => {
  fc.assert(
    fc.property(input, (given) => {
      const { fences, outside } = readBriefing(composeBriefing(given));
      const wanted = expected(given);
      const read = fences.map(({ label, text }, index): Expected => {
        const exact = Array.isArray(wanted[index]?.[1]);
        return [label, exact ? namesIn(text).sort(byText) : text];
      });
      expect(read).toEqual(wanted);
      expect(fences.every(({ cut }) => cut === 0)).toBe(true);
      expect(outside).toBe(readBriefing(composeBriefing(blankLike(given))).outside);
    }),
    { numRuns: 300 },
  );
});

test('no briefing holds a character that controls, hides or reorders', () => {
  fc.assert(
    fc.property(input, (given) => {
      const text = composeBriefing(given);
      expect(text.isWellFormed()).toBe(true);
      expect(text.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 300 },
  );
});
