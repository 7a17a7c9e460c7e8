import type { Connection } from '../connection.ts';
import { type ChangedFile, changesIn, type Product, productsIn } from '../evidence.ts';
import { type Slot, statement } from '../statement.ts';
import { type AttemptKey, attemptKey } from './attempt-key.ts';
import type { EventOf } from './event-of.ts';

const clearChanges = statement((tables, slot: Slot<AttemptKey>) =>
  tables
    .deleteFrom('changes')
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

const clearProducts = statement((tables, slot: Slot<AttemptKey>) =>
  tables
    .deleteFrom('products')
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

const insertChange = statement((tables, slot: Slot<AttemptKey & ChangedFile>) =>
  tables.insertInto('changes').values({
    run_id: slot('run_id'),
    task_key: slot('task_key'),
    attempt: slot('attempt'),
    position: slot('position'),
    path: slot('path'),
    status: slot('status'),
    insertions: slot('insertions'),
    deletions: slot('deletions'),
  }),
);

const insertProduct = statement((tables, slot: Slot<AttemptKey & Product>) =>
  tables.insertInto('products').values({
    run_id: slot('run_id'),
    task_key: slot('task_key'),
    attempt: slot('attempt'),
    path: slot('path'),
    sha256: slot('sha256'),
    bytes: slot('bytes'),
    claimed: slot('claimed'),
  }),
);

/**
 * What the evidence tells of changed and produced files, in place of what was known of this attempt. Evidence that
 * does not speak of them changes nothing: work that was reviewed is accepted with the facts it has.
 */
export function recordFacts(
  connection: Connection,
  event: EventOf<'attempt.accepted' | 'review.requested'>,
): void {
  const key = attemptKey(event);
  const changes = changesIn(event.evidence);
  if (changes) {
    connection.change(clearChanges, key);
    for (const change of changes) connection.change(insertChange, { ...key, ...change });
  }
  const products = productsIn(event.evidence);
  if (products) {
    connection.change(clearProducts, key);
    for (const product of products) connection.change(insertProduct, { ...key, ...product });
  }
}
