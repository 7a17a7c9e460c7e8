import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sweep } from '@atelier/cli-transport';
import { type EscalationSink, run, type Transport } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { auditText } from '../compose/audit-text.ts';
import type { Project } from '../compose/project.ts';
import { recordedOf } from '../compose/recorded.ts';
import { runFolder, runFolderOf } from '../compose/run-folder.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { socketFolder } from '../compose/socket-folder.ts';
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
 * checkout removed, the attempt stays charged. None is resumed, since what it was for is asked anew. For whoever holds the
 * lock.
 */
export async function giveUpUnfinished(project: Project, { sink, warn }: Telling): Promise<void> {
  const looked = project.store.runs().filter(({ run_id }) => onlyReads(run_id));
  for (const { run_id: runId, verdict } of looked) {
    try {
      // The host may have been killed between two attempts.
      if (isOver(verdict)) takeBackIfThere(runFolderOf(project, runId));
      else await giveUp(project, runId, { sink, warn });
    } catch (error) {
      // It is in nobody's way.
      const why = error instanceof Error ? error.message : String(error);
      warn(`${runId} could not be brought to its end: ${printable(why)}`);
    }
  }
}

async function giveUp(project: Project, runId: string, { sink, warn }: Telling): Promise<void> {
  const folder = await runFolder(project, runId, undefined);
  const alive = (await sweep(workersFolder(folder))).filter(({ isGone }) => !isGone);
  if (alive.length > 0) warn(`a worker of ${runId} could not be ended, and may still be running`);
  if (existsSync(folder)) takeBack(folder);
  const { tasks } = await recordedOf(project.store, runId);
  const { journal } = project.store;
  await run(tasks, { runId, journal, sink, transport: NOBODY, audit: auditText });
}

function takeBackIfThere(folder: string): void {
  if (existsSync(join(folder, LENT))) takeBack(folder);
}

function takeBack(folder: string): void {
  socketFolder(folder).remove();
  rmSync(join(folder, LENT), { recursive: true, force: true });
}

const isOver = (verdict: string | null): boolean =>
  verdict === 'complete' || verdict === 'abandoned';
