import type { ReplyField, ReplyIssue } from './reply-issue.ts';

/**
 * A reply that failed validation, thrown by `assertReply`. Tell it apart by `code`; `field`, `expected` and `received`
 * are those of the first of its `issues`.
 */
export class EnvelopeValidationError extends Error {
  override readonly name: string = 'EnvelopeValidationError';
  readonly code: 'ENVELOPE_INVALID' = 'ENVELOPE_INVALID';
  readonly issues: readonly [ReplyIssue, ...ReplyIssue[]];
  readonly field: ReplyField;
  readonly expected: string;
  readonly received: string;

  constructor(issues: readonly [ReplyIssue, ...ReplyIssue[]]) {
    const [first] = issues;
    super(issues.map((issue) => issue.message).join(' '));
    this.issues = issues;
    this.field = first.field;
    this.expected = first.expected;
    this.received = first.received;
  }
}
