/** What is wrong, for programs. */
export type ReplyIssueCode =
  | 'not-an-object'
  | 'unreadable'
  | 'cyclic'
  | 'too-deep'
  | 'too-large'
  | 'missing'
  | 'wrong-type'
  | 'mismatch'
  | 'unknown-status'
  | 'not-a-list'
  | 'empty'
  | 'bad-reference'
  | 'no-abandon-line';

/** Where it is wrong; `envelope` is the reply as a whole. */
export type ReplyField =
  | 'envelope'
  | 'type'
  | 'task_id'
  | 'attempt'
  | 'status'
  | 'artifacts'
  | 'notes_md';

/** One failed check. All texts are short and printable; `message` names the field and says what to do. */
export interface ReplyIssue {
  readonly code: ReplyIssueCode;
  readonly field: ReplyField;
  readonly expected: string;
  readonly received: string;
  readonly message: string;
}

/** An issue whose message is put together from its parts and a piece of advice. */
export function replyIssue(parts: Omit<ReplyIssue, 'message'>, advice: string): ReplyIssue {
  const { code, field, expected, received } = parts;
  const message = `${field} must be ${expected}, but was ${received}: ${advice}`;
  return { code, field, expected, received, message };
}
