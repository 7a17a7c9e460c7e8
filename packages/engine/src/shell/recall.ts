import type { Replayable } from '../core/input.ts';
import type { BriefingContext } from './briefing.ts';

/**
 * Whether merged work of an earlier run is what a task would do. Asked before a charge; a throw or a hang means that the
 * task is done anew.
 */
export interface Recall {
  /**
   * One text that is equal only where everything is equal that the result depends on; undefined for a task that is
   * always done anew. It is recorded with the charge.
   */
  contentKey(next: BriefingContext): string | undefined | Promise<string | undefined>;
  /** Work under that key that was merged and still stands. Asked for tasks that were never dispatched. */
  find(contentKey: string): Replayable | undefined | Promise<Replayable | undefined>;
}
