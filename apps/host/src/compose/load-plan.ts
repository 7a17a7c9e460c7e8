import { createHash } from 'node:crypto';
import { type Plan, type PlanGates, validatePlan } from '@atelier/engine/plan';
import type { Roster } from '@atelier/team-behaviors';
import { filesAtHead } from '@atelier/worktrees';
import { PlanRefused } from '../plan-refused.ts';
import { readPlanFile } from '../read-plan-file.ts';
import { ignoresCase } from './ignores-case.ts';
import { linksAt } from './links-at.ts';
import { treeAt } from './tree-at.ts';

/** What a plan is held against beside itself. */
export interface PlanSurroundings {
  /** Who can be given a task; not asked when absent. */
  readonly roster?: Pick<Roster, 'ids'>;
  /** A folder of the clone in which it is to start: what its tasks read has to be there or to be written before. */
  readonly dir?: string;
  /** The branch of the run that is to go on with it: what is merged there is there for its tasks as well. */
  readonly branch?: string;
}

/** Reads a plan that is to be run. Throws {@link PlanRefused} with every defect of the file. */
export async function loadPlan(
  path: string,
  { roster, dir, branch }: PlanSurroundings,
): Promise<Plan> {
  const document = await readPlanFile(path);
  if (!document.ok) throw new PlanRefused(document.issues);
  const place = dir === undefined ? {} : await placeOf(dir, branch);
  const gates = { now: new Date().toISOString(), ...place, personas: roster?.ids };
  const checked = validatePlan(document.value, gates);
  if (!checked.ok) throw new PlanRefused(checked.issues);
  return checked.plan;
}

/** What a plan is held against in a folder of a clone, and on the branch of a run, if one goes on. */
export async function placeOf(
  dir: string,
  branch?: string,
): Promise<Pick<PlanGates, 'existing' | 'links' | 'foldCase'>> {
  const [existing, links, foldCase, merged] = await Promise.all([
    filesIn(dir),
    linksAt(dir),
    ignoresCase(dir),
    branch === undefined ? undefined : treeAt(dir, branch),
  ]);
  return {
    existing: together(existing, merged?.files),
    links: together(links, merged?.links),
    foldCase,
  };
}

/** What is unknown stays so. */
const together = (
  paths: ReadonlySet<string> | undefined,
  more: ReadonlySet<string> = new Set(),
): ReadonlySet<string> | undefined =>
  paths === undefined || more.size === 0 ? paths : new Set([...paths, ...more]);

/** What tasks find at HEAD; undefined where it can not be told. That is for whoever opens the clone to report. */
const filesIn = (dir: string): Promise<ReadonlySet<string> | undefined> =>
  filesAtHead(dir).catch(() => undefined);

/**
 * Stands for what a plan says, whatever the spelling of its file and the moment it was loaded: all of it that changes what
 * is dispatched, how it is judged, or what it may spend.
 */
export function hashOf({ tasks, goal, gate, worktree, schedule, budget }: Plan): string {
  const rows = tasks.map(({ created_at: _, ...task }) => task);
  const { tokens, usd } = budget ?? {};
  // Absent, they add nothing: the hashes of plans that were recorded before there were any stay as they are.
  const said = [
    ...[goal, rows, gate, worktree],
    ...(schedule === undefined ? [] : [schedule]),
    ...(tokens === undefined && usd === undefined ? [] : [{ tokens, usd }]),
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}
