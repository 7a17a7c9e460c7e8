import type { RunInput } from '../core/input.ts';
import { authorOf, type RunState, taskOf } from '../core/state.ts';
import type { CheckContext } from './acceptance.ts';
import type { BriefingContext } from './briefing.ts';
import { worksOf } from './context-of.ts';

/** What the checks of an attempt may draw on: the stages behind it, and the work beside it. */
export function checksOf(
  state: RunState,
  { task: { id: taskId }, attempt }: BriefingContext,
  put: (input: RunInput) => void,
): (signal: AbortSignal) => CheckContext {
  return (signal) => ({
    signal,
    passed: new Map(taskOf(state, taskId).checks),
    pass: (stage, evidence) =>
      put({
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
}
