import { EnvelopeValidationError } from './envelope-validation-error.ts';
import type { AcceptedReply, ExpectedIdentity } from './reply.ts';
import { validateReply } from './validate-reply.ts';

/** Like `validateReply`, for callers that want an invalid reply thrown as an `EnvelopeValidationError`. */
export function assertReply(input: unknown, expected: ExpectedIdentity): AcceptedReply {
  const verdict = validateReply(input, expected);
  if (!verdict.ok) throw new EnvelopeValidationError(verdict.issues);
  const { reply, abandon } = verdict;
  return abandon === undefined ? { reply } : { reply, abandon };
}
