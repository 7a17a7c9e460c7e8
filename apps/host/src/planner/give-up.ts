import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sweep } from '@atelier/cli-transport';
import { type EscalationSink, run, type Transport } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { auditText } from '../compose/audit-text.ts';
import type { Project } from '../compose/project.ts';
import { recordedOf } from '../compose/recorded.ts';
import { runFolder, runFolderOf, runsFolder } from '../compose/run-folder.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { removeSocketFolder } from '../compose/socket-folder.ts';
import { onlyReads } from './only-reads.ts';

/** Where attempts that only look have the project, in the folder of the first of them. */
export const LENT = 'project';

interface Telling {
  readonly sink: EscalationSink;
  readonly warn: (message: string) => void;
}

/** Finds nobody, starts nobody. */
const NOBODY: Transport = {
  name: 'nobody',
  capabilities: { adopt: false, stop: 'kills' },
  start: async () => {
    throw new Error('what only looks is not gone on with');
  },
};

/**
 * Brings every run to its end that only looks and was parked, interrupted or lost its host: its worker is ended, its
 * checkout removed, the attempt stays charged. None is resumed, since what it was for is asked anew. What was made ready
 * for a run that never began goes too. For whoever holds the lock.
 */
export async function giveUpUnfinished(project: Project, { sink, warn }: Telling): Promise<void> {
  for (const [runId, verdict] of whatLooked(project)) {
    try {
      // The host may have been killed between two attempts, or before the first.
      if (verdict === null) await giveUp(project, runId, { sink, warn });
      else takeBack(runFolderOf(project, runId));
    } catch (error) {
      // It is in nobody's way.
      const why = error instanceof Error ? error.message : String(error);
      warn(`${runId} could not be brought to its end: ${printable(why)}`);
    }
  }
}

/** The verdict on each run that only looks; null without an end, `unbegun` for one that is not on record. */
function whatLooked(project: Project): ReadonlyMap<string, string | null> {
  const home = runsFolder(project);
  const folders = existsSync(home) ? readdirSync(home).filter(onlyReads) : [];
  const runs = project.store.runs().filter(({ run_id }) => onlyReads(run_id));
  return new Map([
    ...folders.map((runId) => [runId, 'unbegun'] as const),
    ...runs.map(({ run_id, verdict }) => [run_id, isOver(verdict) ? verdict : null] as const),
  ]);
}

async function giveUp(project: Project, runId: string, { sink, warn }: Telling): Promise<void> {
  const folder = await runFolder(project, runId, undefined);
  const alive = (await sweep(workersFolder(folder))).filter(({ isGone }) => !isGone);
  if (alive.length > 0) warn(`a worker of ${runId} could not be ended, and may still be running`);
  takeBack(folder);
  const { tasks } = await recordedOf(project.store, runId);
  const { journal } = project.store;
  await run(tasks, { runId, journal, sink, transport: NOBODY, audit: auditText });
}

function takeBack(folder: string): void {
  removeSocketFolder(folder);
  rmSync(join(folder, LENT), { recursive: true, force: true });
}

const isOver = (verdict: string | null): boolean =>
  verdict === 'complete' || verdict === 'abandoned';
