import { expect, test } from 'vitest';
import type { BriefingInput } from './briefing-input.ts';
import { composeBriefing } from './compose-briefing.ts';
import type { Scope } from './section.ts';
import { SECTIONS } from './sections.ts';

const plain: BriefingInput = {
  task: { id: 'a' },
  attempt: 1,
  maxAttempts: 5,
  handIn: 'structured-output',
};

const chosen = (input: Partial<BriefingInput>): string[] =>
  SECTIONS.filter(({ render }) => render({ ...plain, ...input }) !== undefined).map(({ id }) => id);

const BASE = ['identity', 'rules', 'contract', 'limits', 'task', 'attempt'];

test('what more briefings share stands before what fewer share', () => {
  const rank: Record<Scope, number> = { run: 0, task: 1, attempt: 2 };
  const ranks = SECTIONS.map(({ scope }) => rank[scope]);
  expect(ranks).toEqual(ranks.toSorted());
});

test('a section has a heading of its own, and an id of its own', () => {
  const full: BriefingInput = {
    ...plain,
    task: { id: 'a', persona: 'p', phase: 'tdd' },
    procedure: 'p',
    chat: { channel: 'cycle-1', maxBody: 500 },
    wave: { group: 1 },
    previous: { summary: 's' },
    review: { taskId: 'b', attempt: 1, files: [], base: '' },
    upstream: [{ taskId: 'c', artifacts: [] }],
    answers: [{ question: 'q', answer: 'a' }],
  };
  const headings = SECTIONS.map(({ render }) => /^# .+\n\n/.exec(render(full) ?? '')?.[0]);
  expect(headings).not.toContain(undefined);
  expect(new Set(headings).size).toBe(SECTIONS.length);
  expect(new Set(SECTIONS.map(({ id }) => id)).size).toBe(SECTIONS.length);
});

test.each<[Partial<BriefingInput>, string[]]>([
  [{}, []],
  [{ upstream: [], answers: [] }, []],
  [{ task: { id: 'a', persona: 'p' } }, ['persona']],
  [{ procedure: 'p' }, ['procedure']],
  [{ chat: { channel: 'cycle-1', maxBody: 500 } }, ['chat']],
  [{ wave: { group: 1 } }, ['wave']],
  [{ task: { id: 'a', phase: 'qa' } }, ['wave']],
  [{ task: { id: 'a', phase: 'tdd' } }, ['minimal', 'wave']],
  [{ previous: { summary: 's' } }, ['previous']],
  [{ review: { taskId: 'b', attempt: 1, files: [], base: '' } }, ['review', 'work']],
  [{ upstream: [{ taskId: 'c', artifacts: [] }] }, ['upstream']],
  [{ answers: [{ question: 'q', answer: 'a' }] }, ['answers']],
])('%j brings exactly its sections', (input, ids) => {
  expect(chosen(input).toSorted()).toEqual([...BASE, ...ids].toSorted());
});

test('a section that is not chosen leaves no byte', () => {
  const whole = composeBriefing({ ...plain, procedure: 'Go.' });
  expect(whole.replace('# How this phase goes\n\nGo.\n\n', '')).toBe(composeBriefing(plain));
});

test('chat down: a briefing without a chat has the bytes of one that knows of no chat', () => {
  const chat = { channel: 'cycle-1', maxBody: 500 };
  const [section] = SECTIONS.filter(({ id }) => id === 'chat');
  const withChat = composeBriefing({ ...plain, chat });
  const told = section?.render({ ...plain, chat }) ?? '';
  expect(withChat).toContain(told);
  expect(withChat.replace(`${told}\n\n`, '')).toBe(composeBriefing(plain));
});
