import type { RunInput } from '../core/input.ts';
import { authorOf, type RunState, type TaskState, taskOf } from '../core/state.ts';
import type { CheckContext } from './acceptance.ts';
import type { BriefingContext } from './briefing.ts';
import { worksOf } from './context-of.ts';

/** What the checks of an attempt may draw on: the stages behind it, and the work beside it. */
export function checksOf(
  state: RunState,
  { task: { id: taskId }, attempt }: BriefingContext,
  put: (input: RunInput) => void,
): (signal: AbortSignal) => CheckContext {
  const holds = (task: TaskState) =>
    (task.phase === 'accepted' || task.phase === 'reviewing') && !authorOf(state, task);
  return (signal) => ({
    signal,
    passed: new Map(taskOf(state, taskId).checks),
    pass: (stage, evidence) =>
      put({
        ...{ kind: 'checked', taskId, attempt, stage },
        ...(evidence === undefined ? {} : { evidence }),
      }),
    // Gathered when it is asked for: the wave goes on meanwhile, and most attempts of a large one never ask.
    get siblings() {
      const wave = state.wave?.keys.flatMap((key) => state.tasks.get(key) ?? []) ?? [];
      return worksOf(wave.filter(holds));
    },
  });
}
