import { stat } from 'node:fs/promises';
import { spoolOf } from '@atelier/cli-transport';
import type { RunState } from '@atelier/engine';
import type { Project } from '../compose/project.ts';
import { runFolder } from '../compose/run-folder.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { roleOf } from './role-of.ts';

/** What can be seen of a worker, as ISO 8601: when the host last saw it alive, and when it last wrote something. */
export interface Life {
  readonly lastSeen?: string;
  readonly lastOutput?: string;
}

/** What can be seen of the workers of a run, by the keys of their tasks. For people: nothing follows from it. */
export async function livesOf(
  project: Project,
  run: RunState,
  { stateDir }: { readonly stateDir: string | undefined },
): Promise<ReadonlyMap<string, Life>> {
  const running = [...run.tasks.values()].filter(({ phase }) => phase === 'running');
  if (running.length === 0) return new Map();
  const { teams, wire } = project.store.team;
  const teamId = teams.ofRun(run.runId)?.teamId;
  const beats = new Map(
    wire.heartbeats().flatMap(([team, role, at]) => (team === teamId ? [[role, at] as const] : [])),
  );
  const asked = stateDir === undefined ? undefined : project.stateHome;
  const workers = workersFolder(await runFolder(project, run.runId, asked));
  const lives = running.map(async ({ key, task, attempts }) => {
    const lastSeen = beats.get(roleOf(task));
    const lastOutput = await writtenAt(spoolOf(workers, task.id, attempts).stdout);
    return [
      key,
      {
        ...(lastSeen === undefined ? {} : { lastSeen }),
        ...(lastOutput === undefined ? {} : { lastOutput }),
      },
    ] as const;
  });
  return new Map(await Promise.all(lives));
}

const writtenAt = async (path: string): Promise<string | undefined> =>
  (await stat(path).catch(() => undefined))?.mtime.toISOString();
