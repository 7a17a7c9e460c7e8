import type { Abandon } from './abandon.ts';
import type { ClosureToken } from './closure.ts';
import type { JsonValue } from './json.ts';

/** A reply that passed every check. Identity keeps the type the worker sent; keys we do not know are kept. */
export interface Reply {
  readonly type: 'task_result';
  readonly task_id: string | number;
  readonly attempt: string | number;
  readonly status: ClosureToken;
  readonly artifacts: readonly JsonValue[];
  readonly notes_md?: JsonValue;
  readonly next_action?: JsonValue;
  readonly [key: string]: JsonValue | undefined;
}

/**
 * Which attempt was dispatched, from the dispatcher's own record and never from the reply.
 * A number that is not a safe integer equals nothing.
 */
export interface ExpectedIdentity {
  readonly taskId: string | number;
  readonly attempt: number;
}

/** A valid reply; `abandon` is there exactly when its status is `abandoned`. */
export interface AcceptedReply {
  readonly reply: Reply;
  readonly abandon?: Abandon;
}
