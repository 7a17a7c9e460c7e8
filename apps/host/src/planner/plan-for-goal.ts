import { composePlanningBriefing } from '@atelier/briefing';
import type { ResolvedRunMode } from '@atelier/budget';
import { DEFAULTS } from '@atelier/engine';
import {
  judgeProposal,
  type PlannerEnd,
  type ProposalRequest,
  planFromAgent,
  validatePlan,
} from '@atelier/engine/plan';
import { holdProject } from '../compose/hold-project.ts';
import { ignoresCase } from '../compose/ignores-case.ts';
import { linksAt } from '../compose/links-at.ts';
import { workersFor } from '../compose/run-mode.ts';
import type { Environment } from '../environment.ts';
import { midRun } from '../mid-run.ts';
import type { Streams } from '../streams.ts';
import { openRoster } from '../team/roster.ts';
import { ownInterrupts } from './interrupts.ts';
import { planKeys } from './plan-keys.ts';
import { planningIds, planningRun, planningTask } from './planning-run.ts';
import { openReading, type Readers, type Surroundings } from './reading.ts';

/** A plan that is wanted. */
export interface Wanted extends Readers {
  readonly goal: string;
  readonly mode: ResolvedRunMode;
}

/** What came of it, and the runs in the journal that its attempts are. */
export interface Planning {
  readonly end: PlannerEnd;
  readonly runs: readonly string[];
}

/**
 * Has an agent propose a plan for the clone at HEAD, behind the same walls as any worker, and checks it like a file.
 * Nothing of the plan is dispatched, and the clone is only read. Throws the coded error of whatever refuses before
 * anything is charged.
 */
export async function planForGoal(
  wanted: Wanted,
  streams: Streams,
  environment: Environment,
): Promise<Planning> {
  const closing: (() => unknown)[] = [];
  try {
    return await planWith(wanted, { streams, environment, closing });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function planWith(
  { goal, ...readers }: Wanted,
  surroundings: Surroundings,
): Promise<Planning> {
  const { agent, mode } = readers;
  const idOf = planningIds();
  const { project } = readers;
  const { closing, streams } = surroundings;
  closing.push(holdProject(project.repository, `planning ${idOf(1)}`).release);
  const who = 'the planner';
  const interrupts = ownInterrupts(who, streams);
  closing.push(interrupts.close);
  const { signal } = interrupts;
  const reading = await openReading(
    {
      ...{ ...readers, firstRun: idOf(1), who, interrupts },
      // Neither a command line nor a plan names one.
      ...{ limit: {}, before: [], likely: [planningTask(goal)] },
    },
    surroundings,
  ).catch((error: unknown) => {
    if (error !== signal.reason) throw error;
  });
  if (!reading) return { end: { kind: 'interrupted', attempts: 0 }, runs: [] };
  const { configFile } = surroundings.environment;
  const { ids: personas } = await openRoster(configFile, project.store.team);
  const gates = {
    ...{ now: new Date().toISOString(), existing: reading.files, personas },
    links: await linksAt(project.repository.topLevel, project.repository.head),
    foldCase: await ignoresCase(project.repository.topLevel),
  };
  const judging = { goal, validate: (document: unknown) => validatePlan(document, gates) };
  const runs: string[] = [];
  let fault: unknown;

  const propose = async (request: ProposalRequest) => {
    const { number } = request;
    const runId = idOf(number);
    const seams = reading.seamsOf(runId, planningTask(goal));
    runs.push(runId);
    surroundings.streams.stderr.write(`proposal ${number}: ${agent.agent}, run ${runId}\n`);
    return planningRun({
      ...{ runId, goal, number },
      judge: (text) => judgeProposal(text, judging),
      seams: {
        ...seams,
        signal: request.signal,
        briefing: ({ task, attempt }) =>
          composePlanningBriefing({
            ...{ goal, attempt, taskId: String(task.id), handIn: reading.handIn },
            ...{ keys: planKeys(), files: [...reading.files], maxWorkers: workersFor(mode) },
            personas: [...personas],
            wallClockMs: DEFAULTS.wallClockMs,
            ...(request.refused ? { refused: request.refused } : {}),
          }),
        about: { ...{ kind: 'planning', proposal: String(number), goal }, ...reading.about },
      },
    }).catch((error: unknown) => {
      // A record that can not be kept is no failure of the agent.
      fault = midRun(error);
      throw error;
    });
  };
  const end = await planFromAgent({ ...judging, propose, signal });
  if (fault !== undefined) throw fault;
  await reading.giveUp();
  return { end, runs };
}
