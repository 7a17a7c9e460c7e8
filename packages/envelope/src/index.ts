export {
  ABANDON_CATEGORIES,
  ABANDON_RE,
  type Abandon,
  type AbandonCategory,
  parseAbandon,
} from './abandon.ts';
export { assertReply } from './assert-reply.ts';
export { CLOSURE_TOKENS, type ClosureToken, TERMINAL_ONLY } from './closure.ts';
export { EnvelopeValidationError } from './envelope-validation-error.ts';
export type { JsonValue } from './json.ts';
export { markdownText } from './markdown-text.ts';
export { printable } from './printable.ts';
export type { AcceptedReply, ExpectedIdentity, Reply } from './reply.ts';
export type { ReplyField, ReplyIssue, ReplyIssueCode } from './reply-issue.ts';
export { replyJsonSchema } from './reply-json-schema.ts';
export { type ReplyValidation, validateReply } from './validate-reply.ts';
