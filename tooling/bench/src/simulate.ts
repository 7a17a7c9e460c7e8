import {
  type Journal,
  memoryJournal,
  type RunEvent,
  type RunReport,
  run,
  scriptedTransport,
  type Task,
} from '@atelier/engine';

/** A whole run whose workers answer at once: what is left is the engine and its journal. */
export function simulate(
  tasks: readonly Task[],
  journal: Journal = memoryJournal(),
  maxWorkers = 5,
  runId = 'bench',
): Promise<RunReport> {
  const transport = scriptedTransport(({ task, attempt }) => ({
    report: {
      kind: 'replied',
      reply: {
        type: 'task_result',
        task_id: task.id,
        attempt,
        status: 'done',
        artifacts: [`out/${task.id}`],
        notes_md: '',
      },
    },
  }));
  return run(tasks, { runId, transport, journal, policy: { maxWorkers } });
}

/** The events of such a run, without waiting for any worker: a pure transcript to fold. */
export function transcriptOf(tasks: readonly Task[]): Promise<readonly RunEvent[]> {
  const journal = memoryJournal();
  return simulate(tasks, journal).then(() => journal.events);
}
