import { readdirSync } from 'node:fs';
import { type RunEvent, taskKey } from '@atelier/engine';
import { doubledAttempts, nameOfAttempt, overBudget, wastedAttempts } from './attempts.ts';
import { labelOf } from './event-label.ts';
import { executionsIn } from './executions.ts';
import { type Merged, mergedAgain, mergesOf, patchOf } from './merges.ts';
import { FILES, PLANS } from './plan.ts';
import { processesLeft, type Remaining } from './processes.ts';
import { eventsOf } from './run-events.ts';
import { BRANCH, type Scene } from './scene.ts';
import { worktreesLeft } from './worktrees-left.ts';

/** What may not be; each is 0 when the run kept its promises. */
export interface Figures {
  /** Tasks that are not done in the end, or done without their file on the branch. */
  readonly lost: number;
  /** Attempts that were executed or charged more than once, and executions beside another of their task. */
  readonly doubled: number;
  /** Work that was brought in again. */
  readonly mergedTwice: number;
  /** Executions that nobody had charged, and tasks with more charges or executions than their cap. */
  readonly overBudget: number;
  readonly processesLeft: number;
  readonly worktreesLeft: number;
  /** Attempts whose worker ran or had replied, and that were given up all the same. */
  readonly wasted: number;
  /** The branch has other files than after an uninterrupted run, or the person's own checkout was touched. */
  readonly differs: number;
}

/** How the figures of a scene came about. */
export interface Judgement {
  readonly figures: Figures;
  readonly executions: number;
  readonly charges: number;
  /** Attempts that were given up because there was no worker any more, or none yet. */
  readonly lostAttempts: number;
  /** Folders of killed hosts in the folder for temporary files. */
  readonly temporary: number;
  /** What is behind a figure that is not 0, for people. */
  readonly findings: readonly string[];
}

/** Judges a scene whose run has ended by what workers told, by git, and last by the journal. */
export async function judge(scene: Scene, expectedTree: string): Promise<Judgement> {
  const events = await eventsOf(scene);
  const executions = executionsIn(scene.told);
  const merges = mergesOf(scene);
  const charges = events.filter((event) => event.type === 'attempt.started');
  const nonces = charges.map(({ nonce }) => nonce);
  const processes = await processesLeft([scene.folder, ...nonces]);
  const folders = worktreesLeft(scene);
  const charged = charges.map(({ taskId, attempt }) => nameOfAttempt(taskId, attempt));
  const lost = lostTasks(events, scene);
  const doubled = doubledAttempts(executions, charged);
  const over = overBudget(executions, charged);
  const differs = differences(scene, expectedTree);
  const wasted = wastedAttempts(executions, events);
  return {
    figures: {
      lost: lost.length,
      doubled: doubled.length,
      mergedTwice: mergedAgain(merges, patchOf(scene)),
      overBudget: over.length,
      processesLeft: processes.length,
      worktreesLeft: folders.length,
      wasted: wasted.length,
      differs: differs.length,
    },
    executions: executions.length,
    charges: charges.length,
    lostAttempts: events.filter((event) => labelOf(event) === 'attempt.closed:lost').length,
    temporary: readdirSync(scene.temporary).filter((name) => name.startsWith('atelier-')).length,
    findings: [
      ...lost.map((what) => `lost: ${what}`),
      ...doubled.map((what) => `doubled: ${what}`),
      ...over.map((what) => `over budget: ${what}`),
      ...processes.map(({ pid, command }: Remaining) => `process left: ${pid} ${command}`),
      ...folders.map((what) => `left: ${what}`),
      ...wasted.map((what) => `wasted: ${what}`),
      ...differs,
      `merged: ${merges.map(({ taskId, commit }: Merged) => `${taskId} ${commit.slice(0, 8)}`).join(', ')}`,
    ],
  };
}

function lostTasks(events: readonly RunEvent[], { git, plan }: Scene): string[] {
  const done = new Set(
    events.flatMap((event) => (event.type === 'task.completed' ? [taskKey(event.taskId)] : [])),
  );
  return PLANS[plan].tasks
    .map(({ id }) => taskKey(id))
    .flatMap((key) => {
      if (!done.has(key)) return [`${key} is not done`];
      const wanted = FILES[key];
      if (wanted === undefined) return [];
      try {
        return git('show', `${BRANCH}:${key}.txt`) === wanted ? [] : [`${key} has another file`];
      } catch {
        return [`${key} is done, and its file is not on the branch`];
      }
    });
}

function differences({ git }: Scene, expectedTree: string): string[] {
  const tree = treeOf({ git });
  const touched = git('status', '--porcelain').trim();
  return [
    ...(tree === expectedTree ? [] : [`the branch has the files ${tree}, not ${expectedTree}`]),
    ...(touched === '' ? [] : [`the checkout was touched: ${touched}`]),
  ];
}

/** The files of the run's branch, as one name; empty when there is no such branch. */
export function treeOf({ git }: Pick<Scene, 'git'>): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${BRANCH}^{tree}`).trim();
  } catch {
    return '';
  }
}
