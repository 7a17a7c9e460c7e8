import { type BriefedTask, composeBriefing, type HandIn } from '@atelier/briefing';
import { type Briefing, closureStatus, type Task } from '@atelier/engine';

/** What workers are told: the task, how its last attempt ended, and what its upstreams delivered. */
export function briefingOf(handIn: HandIn, maxAttempts: number): Briefing {
  return ({ task, attempt, previous, upstream }) =>
    composeBriefing({
      task: briefedTask(task),
      attempt,
      maxAttempts,
      handIn,
      ...(previous ? { previous: { summary: closureStatus(previous) } } : {}),
      upstream: upstream.map(({ taskId, reply }) => ({
        taskId,
        artifacts: reply.artifacts.flatMap(pathOf),
        ...(typeof reply.notes_md === 'string' ? { notes: reply.notes_md } : {}),
      })),
    });
}

function briefedTask(task: Task): BriefedTask {
  const { id, title, description, acceptance, verify, reads, writes, must_produce } = task;
  return {
    id,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(verify === undefined ? {} : { verify }),
    ...(reads ? { reads } : {}),
    ...(writes ? { writes } : {}),
    ...(must_produce ? { must_produce } : {}),
  };
}

function pathOf(artifact: unknown): string[] {
  if (typeof artifact === 'string') return [artifact];
  const { path } = Object(artifact) as { readonly path?: unknown };
  return typeof path === 'string' ? [path] : [];
}
