import type { TaskId } from '../core/task.ts';

/** A `done` of one attempt. */
export const doneOf = (
  id: TaskId,
  attempt: number,
  notes: string = `work on ${id}/${attempt}`,
): Record<string, unknown> => ({
  type: 'task_result',
  task_id: id,
  attempt,
  status: 'done',
  artifacts: [{ path: 'notes.md' }],
  notes_md: notes,
});
