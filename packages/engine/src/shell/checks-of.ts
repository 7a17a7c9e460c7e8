import type { RunInput } from '../core/input.ts';
import { authorOf, type RunState, taskOf } from '../core/state.ts';
import type { CheckContext } from './acceptance.ts';
import { worksOf } from './context-of.ts';
import type { WorkOrder } from './transport.ts';

/** What the checks of an attempt may draw on: the stages behind it, and the work beside it. */
export const checksOf =
  (state: RunState, note: (input: RunInput) => void) =>
  ({ task: { id: taskId }, attempt }: WorkOrder, signal: AbortSignal): CheckContext => ({
    signal,
    passed: new Map(taskOf(state, taskId).checks),
    pass: (stage, evidence) =>
      note({
        ...{ kind: 'checked', taskId, attempt, stage },
        ...(evidence === undefined ? {} : { evidence }),
      }),
    // Gathered when it is asked for: the wave goes on meanwhile.
    get siblings() {
      const held = [...(state.wave?.accepted ?? []), ...(state.wave?.reviewing ?? [])];
      const tasks = held.flatMap((key) => state.tasks.get(key) ?? []);
      return worksOf(tasks.filter((task) => !authorOf(state, task)));
    },
  });
