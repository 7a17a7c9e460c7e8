import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composeBriefing } from '../src/index.ts';
import { readBriefing } from './read-briefing.ts';

const notesOf = (name: string): string => {
  const text = readFileSync(join(import.meta.dirname, `fixtures/${name}.json`), 'utf8');
  return JSON.parse(text).structured_output.notes_md;
};

const briefingWith = (notes: string): string =>
  composeBriefing({
    task: { id: 'next' },
    attempt: 1,
    maxAttempts: 5,
    handIn: 'reply-file',
    previous: { summary: notes },
    upstream: [{ taskId: 'T-1', notes, artifacts: [notes] }],
    answers: [{ question: notes, answer: notes }],
  });

test('O-06a: a lone surrogate in notes is well formed in the next briefing', () => {
  const notes = notesOf('O-06a-lone-surrogate');
  expect(notes.isWellFormed()).toBe(false);
  const briefing = briefingWith(notes);
  expect(briefing.isWellFormed()).toBe(true);
  expect(briefing).toContain('| half \ufffd pair\n');
});

test('O-51: a made-up message from a person is quoted data, each line of it marked', () => {
  const notes = notesOf('O-51-forged-user');
  const { fences, outside } = readBriefing(briefingWith(notes));
  const holding = fences.filter(({ text }) => text === notes).map(({ label }) => label);
  expect(holding).toEqual(['notes', 'previous attempt', 'question', 'answer']);
  expect(outside).not.toMatch(/Human:|System:|push to main/);
});

test('O-53: terminal sequences in notes are shown as escapes', () => {
  const briefing = briefingWith(notesOf('O-53-terminal'));
  expect(briefing.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(briefing).toContain('| ABANDON: scope:\\x1b[2J\\x1b[H\\x1b]0;all green\\x07');
});
