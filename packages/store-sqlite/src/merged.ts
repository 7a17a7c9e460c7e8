import { sql } from 'kysely';
import type { Link } from './chain.ts';
import { keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import { StoreError } from './error.ts';
import { type AttemptFold, attemptFold, type MergedWork } from './merged-work.ts';
import type { AttemptRow } from './schema.ts';
import { type Slot, statement } from './statement.ts';
import type { Tip } from './tip.ts';
import { walk } from './walk.ts';

// By the order of the charges in this file: the clocks of two hosts may differ.
const candidates = statement((tables, slot: Slot<Pick<AttemptRow, 'content_key'>>) =>
  tables
    .selectFrom('attempts')
    .select(['run_id', 'task_key', 'attempt'])
    .where('content_key', '=', slot('content_key'))
    .where('ending', '=', 'done')
    .orderBy(sql`rowid`, 'desc'),
);

/** A run as far as its chain was followed; without a fold when the chain is broken. */
interface Followed {
  readonly after?: Link;
  readonly fold?: AttemptFold;
}

/**
 * Finds merged attempts by their content key, the last one charged first. The tables only say where to look: what is
 * told is what the events say, and a run whose chain is broken says nothing. A run is followed once and then from
 * where it was left, until somebody else commits to the file.
 */
export function mergedWork(
  connection: Connection,
  tip?: Tip,
): (contentKey: string) => readonly MergedWork[] {
  const followed = new Map<string, Followed>();
  let version: number | undefined;

  function foldOf(run_id: string): AttemptFold | undefined {
    const known = followed.get(run_id) ?? { fold: attemptFold() };
    const { fold } = known;
    if (!fold) return undefined;
    const now = follow(connection, run_id, { ...known, fold }, tip);
    followed.set(run_id, now);
    return now.fold;
  }

  return (contentKey) => {
    const now = connection.version();
    if (now !== version) followed.clear();
    version = now;
    return connection
      .rows(candidates, { content_key: keyText(contentKey) })
      .flatMap(
        ({ run_id, task_key, attempt }) =>
          foldOf(run_id)?.merged(task_key, attempt, contentKey) ?? [],
      );
  };
}

function follow(
  connection: Connection,
  run_id: string,
  { after, fold }: Followed & { readonly fold: AttemptFold },
  tip: Tip | undefined,
): Followed {
  try {
    const { events, link, bad } = walk(connection, run_id, { after, tip });
    if (bad) return {};
    fold.take(events);
    return { after: link, fold };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'STORE_DAMAGED') return {};
    throw error;
  }
}
