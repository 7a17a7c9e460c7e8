import { ABANDON_CATEGORIES, ABANDON_RE, CLOSURE_TOKENS, validateReply } from '@atelier/envelope';
import { expect, test } from 'vitest';
import { composeBriefing } from '../src/index.ts';

const briefing = composeBriefing({
  task: { id: 'T-1' },
  attempt: 2,
  maxAttempts: 5,
  handIn: 'reply-file',
});

const example = /^\{"type".*\}$/m.exec(briefing)?.[0] ?? '';

const reply = (status: string, path: string | undefined, notes: string): unknown => {
  const { artifacts, ...rest } = JSON.parse(
    example
      .replace('<task_id>', 'T-1')
      .replace('<attempt>', '2')
      .replace('<status>', status)
      .replace('<path>', path ?? '')
      .replace('<notes>', notes),
  );
  return { ...rest, artifacts: path === undefined ? [] : artifacts };
};

const bullet = (word: string) =>
  expect(briefing).toMatch(new RegExp(`^ {2}- ${word}: .+\\.$`, 'm'));

test.each(CLOSURE_TOKENS)('the status %s is explained, and its example counts', (status) => {
  bullet(status);
  const notes = status === 'abandoned' ? 'ABANDON: scope:too wide' : 'All is well.';
  const verdict = validateReply(reply(status, 'notes.md', notes), { taskId: 'T-1', attempt: 2 });
  expect(verdict.ok).toBe(true);
});

test.each(ABANDON_CATEGORIES)('the category %s is explained, and its line is valid', (category) => {
  bullet(category);
  const grammar = /`(ABANDON: <category>:<reason>)`/.exec(briefing)?.[1] ?? '';
  const line = grammar.replace('<category>', category).replace('<reason>', 'because');
  expect(line).toMatch(ABANDON_RE);
});

test('the artifact rule is said as it is judged', () => {
  expect(briefing).toContain(
    'An abandoned reply, too, must list at least one artifact, for example a file of what you found',
  );
  const empty = reply('abandoned', undefined, 'ABANDON: scope:too wide');
  expect(validateReply(empty, { taskId: 'T-1', attempt: 2 })).toMatchObject({
    ok: false,
    issues: [{ field: 'artifacts', code: 'empty' }],
  });
});

test('only the way to hand in differs between agents', () => {
  const other = composeBriefing({
    task: { id: 'T-1' },
    attempt: 2,
    maxAttempts: 5,
    handIn: 'structured-output',
  });
  expect(briefing).toContain('ATELIER_REPLY_FILE');
  expect(other).not.toContain('ATELIER_');
  expect(other).toContain('structured output');
  const without = (text: string) => text.replace(/ As your last act,.*\n/, '');
  expect(without(other)).toBe(without(briefing));
});
