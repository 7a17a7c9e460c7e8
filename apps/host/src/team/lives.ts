import type { RunState } from '@atelier/engine';
import { type Life, liveness } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { runFolder } from '../compose/run-folder.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { roleOf } from './role-of.ts';
import { workerSigns } from './worker-signs.ts';

interface Looking {
  readonly stateDir: string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * What can be seen of the workers of a run, by the keys of their tasks: their processes and what they write, whether or
 * not a host is alive, and where a process is not there any more, when a host last saw it. For people: nothing follows.
 */
export async function livesOf(
  project: Project,
  run: RunState,
  { stateDir, now }: Looking,
): Promise<ReadonlyMap<string, Pick<Life, 'lastSeen' | 'lastOutput'>>> {
  const running = [...run.tasks.values()].filter(({ phase }) => phase === 'running');
  if (running.length === 0) return new Map();
  const asked = stateDir === undefined ? undefined : project.stateHome;
  const signsOf = workerSigns(workersFolder(await runFolder(project, run.runId, asked)));
  const lives = liveness({ now });
  for (const { key, task, attempts } of running) {
    const worker = { teamId: run.runId, roleId: roleOf(task), taskId: key };
    const signs = signsOf(task.id, attempts);
    const seenAt = signs.isAlive() ? now() : signs.notedAt();
    if (seenAt !== undefined) lives.seen(worker, seenAt);
    const wroteAt = signs.wroteAt();
    if (wroteAt !== undefined) lives.wrote(worker, wroteAt);
  }
  return new Map(
    lives.lives().map(({ taskId, teamId: _team, roleId: _role, ...life }) => [taskId, life]),
  );
}
