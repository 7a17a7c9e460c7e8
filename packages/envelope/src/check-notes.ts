import { ABANDON_CATEGORIES, parseAbandon } from './abandon.ts';
import { describe } from './describe.ts';
import { firstLine } from './first-line.ts';
import { type JsonObject, ownValue } from './json.ts';
import { type ReplyIssue, replyIssue } from './reply-issue.ts';

/** An abandoned reply says why on the first line of `notes_md`; the notes of any other reply are its own affair. */
export function checkNotes(envelope: JsonObject): ReplyIssue | undefined {
  if (ownValue(envelope, 'status') !== 'abandoned') return undefined;
  const notes = ownValue(envelope, 'notes_md');
  if (parseAbandon(notes) !== undefined) return undefined;
  const text = typeof notes === 'string';
  const absent = notes === undefined || notes === null;
  return replyIssue(
    {
      code: text ? 'no-abandon-line' : absent ? 'missing' : 'wrong-type',
      field: 'notes_md',
      expected: 'text whose first line is "ABANDON: <category>:<reason>"',
      received: text ? `first line ${describe(firstLine(notes))}` : describe(notes),
    },
    `start notes_md with that line, the category one of ${ABANDON_CATEGORIES.join(', ')}, the reason 1 to 200 characters.`,
  );
}
