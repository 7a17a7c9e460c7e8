import { parseAbandon } from './abandon.ts';
import { checkArtifacts } from './check-artifacts.ts';
import { checkIdentity, checkType } from './check-identity.ts';
import { checkNotes } from './check-notes.ts';
import { checkStatus } from './check-status.ts';
import { describe } from './describe.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import type { AcceptedReply, ExpectedIdentity, Reply } from './reply.ts';
import { type ReplyIssue, replyIssue } from './reply-issue.ts';
import {
  MAX_CHARACTERS,
  MAX_DEPTH,
  MAX_NODES,
  type SnapshotFault,
  takeSnapshot,
} from './snapshot.ts';

/** The verdict on a reply; the first issue is the first check that failed. */
export type ReplyValidation =
  | ({ readonly ok: true } & AcceptedReply)
  | { readonly ok: false; readonly issues: readonly [ReplyIssue, ...ReplyIssue[]] };

/** Fields that decide what a reply means: repairing one could turn it into another. */
const NEVER_REPAIRED: ReadonlySet<string> = new Set(['type', 'task_id', 'attempt', 'status']);

const FAULTS: Readonly<Record<SnapshotFault, string>> = {
  unreadable: 'a value that can not be read',
  cyclic: 'an object that contains itself',
  'too-deep': `more than ${MAX_DEPTH} levels of nesting`,
  'too-large': `more than ${MAX_NODES} values or ${MAX_CHARACTERS} characters`,
};

/**
 * Judges an untrusted reply against the attempt that was dispatched, and never throws because of the reply. Every
 * failed check is an issue, in a fixed order: envelope, type, task_id, attempt, status, artifacts, notes_md. The reply
 * it returns is a plain JSON copy taken before the first check, so what was checked is what is kept.
 */
export function validateReply(input: unknown, expected: ExpectedIdentity): ReplyValidation {
  const snapshot = takeSnapshot(input, NEVER_REPAIRED);
  if (!snapshot.ok) return refused(envelopeIssue(snapshot.fault, FAULTS[snapshot.fault]));
  const envelope = snapshot.value;
  if (!isJsonObject(envelope)) return refused(envelopeIssue('not-an-object', describe(envelope)));

  const [first, ...others] = failedChecks(envelope, expected);
  if (first !== undefined) return refused(first, ...others);

  const reply = envelope as JsonObject & Reply;
  const abandon = reply.status === 'abandoned' ? parseAbandon(reply.notes_md) : undefined;
  return abandon === undefined ? { ok: true, reply } : { ok: true, reply, abandon };
}

function failedChecks(envelope: JsonObject, expected: ExpectedIdentity): ReplyIssue[] {
  const checks = [
    checkType(envelope),
    checkIdentity(envelope, 'task_id', expected.taskId),
    checkIdentity(envelope, 'attempt', expected.attempt),
    checkStatus(envelope),
    checkArtifacts(envelope),
    checkNotes(envelope),
  ];
  return checks.filter((issue) => issue !== undefined);
}

function envelopeIssue(code: SnapshotFault | 'not-an-object', received: string): ReplyIssue {
  return replyIssue(
    { code, field: 'envelope', expected: 'a JSON object', received },
    'reply with one plain JSON object.',
  );
}

function refused(first: ReplyIssue, ...others: ReplyIssue[]): ReplyValidation {
  return { ok: false, issues: [first, ...others] };
}
