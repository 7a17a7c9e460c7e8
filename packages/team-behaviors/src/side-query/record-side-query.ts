import { printable } from '@atelier/envelope';
import { boundedText, givenText } from '../bounded-text.ts';
import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { TeamError } from '../team-error.ts';
import { type SideQueryDocument, sideQueryDocument } from './side-query-document.ts';

/** A question that a person put to a worker directly, and its answer. */
export interface SideQuery {
  readonly ledger: AuditLedger;
  readonly teamId: string;
  readonly workerRoleId: string;
  readonly prompt: string;
  readonly response: string;
  /** Keeps a copy for people. It may fail or hang: nothing waits for it. */
  readonly mirror?: (document: SideQueryDocument) => unknown;
}

export type Mirrored =
  | { readonly kind: 'mirrored' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'none' };

export interface RecordedSideQuery {
  readonly audit: AuditRow;
  /** What became of the copy. Never rejects. */
  readonly mirrored: Promise<Mirrored>;
}

/** Characters that are kept of each text, what is cut being counted in it: both fit into 1 MiB of JSON, escapes and all. */
const TEXT = 80_000;

/**
 * Books a side query: when it returns, the row is there. Then, and whatever comes of it, the copy is made. Nothing else
 * changes: no task, role, phase or escalation, whatever the texts ask for. Throws what the ledger throws, and
 * `INVALID_SIDE_QUERY` for what is no text.
 */
export function recordSideQuery(query: SideQuery): RecordedSideQuery {
  const { ledger, teamId, mirror, prompt, response } = query;
  if (typeof prompt !== 'string' || typeof response !== 'string')
    throw new TeamError(
      'INVALID_SIDE_QUERY',
      'a side query is a prompt and a response, both text',
      'Give the texts as they were; an empty one is a text too.',
    );
  const payload = {
    prompt: boundedText(prompt, TEXT),
    response: boundedText(response, TEXT),
    worker_role_id: givenText(query.workerRoleId, 'the role of the worker', 64),
  };
  const audit = ledger.append({ teamId, eventType: AUDIT_EVENTS.sideQuery, payload });
  return { audit, mirrored: copied(mirror, () => sideQueryDocument(teamId, payload)) };
}

async function copied(
  mirror: SideQuery['mirror'],
  document: () => SideQueryDocument,
): Promise<Mirrored> {
  if (!mirror) return { kind: 'none' };
  try {
    await mirror(document());
    return { kind: 'mirrored' };
  } catch (error) {
    return { kind: 'failed', error: printable(error) };
  }
}
