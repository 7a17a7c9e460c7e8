import { taskKey } from '../task.ts';
import { isTaskId, type Row } from './row.ts';

/** One stated edge of a row: which key states it, and the text of the id it names. */
export interface Link {
  readonly field: 'depends_on' | 'reviews';
  readonly item?: number;
  readonly upstream: string;
}

/** The edges a row states, as far as they name an id. */
export function* linksOf({ raw }: Row): Generator<Link> {
  if (Array.isArray(raw?.depends_on)) {
    const list: readonly unknown[] = raw.depends_on;
    for (const [item, id] of list.entries()) {
      if (isTaskId(id)) yield { field: 'depends_on', item, upstream: taskKey(id) };
    }
  }
  if (isTaskId(raw?.reviews)) yield { field: 'reviews', upstream: taskKey(raw.reviews) };
}
