import { memoryJournal, run, type Task, type Transport } from '@atelier/engine';
import type { Schedule } from '../schedules.ts';

/** Workers that answer at once and keep nothing: no timer, no list of what was started. */
const instant: Transport = {
  name: 'instant',
  capabilities: { adopt: false, stop: 'kills' },
  start: async ({ task, attempt }) => {
    const reply = {
      type: 'task_result',
      task_id: task.id,
      attempt,
      status: 'done',
      artifacts: [`out/${task.id}`],
      notes_md: '',
    };
    return {
      report: Promise.resolve({ kind: 'replied', reply }),
      peek: async () => reply,
      stop: async () => undefined,
    };
  },
};

/** The engine alone, with its journal in memory. Rejects unless all tasks end done. */
export async function instantRun(tasks: readonly Task[], schedule: Schedule): Promise<void> {
  const { verdict } = await run(tasks, {
    transport: instant,
    journal: memoryJournal(),
    policy: { maxWorkers: 5, schedule },
  });
  if (verdict !== 'complete') throw new Error(`the run ended ${verdict}`);
}
