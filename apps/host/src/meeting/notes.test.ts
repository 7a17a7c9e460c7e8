import { expect, test } from 'vitest';
import { notesOf } from './notes.ts';

const SPEAKERS = new Map([
  ['human', 'lead'],
  ['lead', 'lead'],
  ['be', 'be'],
]);

const defects = (value: unknown) => {
  const read = notesOf(value, SPEAKERS);
  return read.ok ? [] : read.defects.map(({ path, message }) => `${path} ${message}`);
};

test('notes are read as they are, and a person speaks as the lead', () => {
  const turns = [
    { by: 'be', says: 'x' },
    { by: 'human', says: 'y', reply_to: 1 },
  ];
  expect(notesOf({ turns, summary: 's', open_points: ['o'], 'x-room': 4 }, SPEAKERS)).toEqual({
    ok: true,
    notes: {
      entries: [
        { sender: 'be', text: 'x' },
        { sender: 'lead', text: 'y', replyTo: 1 },
      ],
      closing: { summary: 's', decisions: [], openPoints: ['o'] },
    },
  });
  expect(defects({ turns: [], summary: 's' })).toEqual([]);
});

test('every defect is told by its place', () => {
  const turns = [
    { by: 'be', says: 'x'.repeat(4001), reply_to: 1 },
    { by: 'toString', say: 'x' },
    { by: '\u001b[2J', says: 'x', reply_to: 1.5 },
    'be: x',
  ];
  const value = {
    turns,
    summary: '',
    decisions: 'one',
    open_points: [1, 'y'.repeat(501)],
    minutes: 1,
  };
  expect(defects(value)).toEqual([
    'minutes is no key of notes',
    'summary is no text',
    'decisions is no list of at most 100',
    'open_points[0] is no text',
    'open_points[1] is longer than 500 characters',
    'turns[0].says is longer than 4000 characters',
    'turns[0].reply_to is 1, and no earlier turn',
    'turns[1].say is no key of notes',
    'turns[1].by is toString, and nobody of that name is in the meeting',
    'turns[1].says is missing',
    'turns[2].by is \\x1b[2J, and nobody of that name is in the meeting',
    'turns[2].reply_to is 1.5, and no earlier turn',
    'turns[3] is no object',
  ]);
  for (const value of [null, [], 'x']) expect(defects(value)).toHaveLength(1);
  expect(defects({ summary: 's' })).toEqual(['turns is no list']);
});
