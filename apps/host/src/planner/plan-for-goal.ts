import { composePlanningBriefing } from '@atelier/briefing';
import type { ResolvedRunMode } from '@atelier/budget';
import { cliTransport, preflight, sweep } from '@atelier/cli-transport';
import { DEFAULTS, systemClock } from '@atelier/engine';
import {
  judgeProposal,
  type PlannerEnd,
  type ProposalRequest,
  planFromAgent,
  validatePlan,
} from '@atelier/engine/plan';
import { auditText } from '../compose/audit-text.ts';
import { confine } from '../compose/confine.ts';
import { holdProject } from '../compose/hold-project.ts';
import { onInterrupt } from '../compose/interrupts.ts';
import { sinkOf } from '../compose/notify.ts';
import { type AgentChoice, openAgent } from '../compose/open-agent.ts';
import type { Project } from '../compose/project.ts';
import { withRoom } from '../compose/room.ts';
import { runFolderOf } from '../compose/run-folder.ts';
import { workersFor } from '../compose/run-mode.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { socketFolder } from '../compose/socket-folder.ts';
import { stateFolder } from '../compose/state-folder.ts';
import { withReads } from '../compose/with-reads.ts';
import type { Environment } from '../environment.ts';
import { midRun } from '../mid-run.ts';
import { spendingOf } from '../spending/spending.ts';
import type { Streams } from '../streams.ts';
import { giveUpUnfinished } from './give-up.ts';
import { lentProject } from './lent-project.ts';
import { planKeys } from './plan-keys.ts';
import { planningIds, planningRun, planningTask } from './planning-run.ts';
import { readOnly } from './read-only.ts';

/** A plan that is wanted. */
export interface Wanted {
  readonly goal: string;
  readonly project: Project;
  readonly agent: AgentChoice;
  /** A tier or the name of a model. */
  readonly model: string | undefined;
  readonly mode: ResolvedRunMode;
}

/** What came of it, and the runs in the journal that its attempts are. */
export interface Planning {
  readonly end: PlannerEnd;
  readonly runs: readonly string[];
}

interface Surroundings {
  readonly streams: Streams;
  readonly environment: Environment;
  /** Takes what must be closed, in the order it was opened. */
  readonly closing: (() => unknown)[];
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
  { goal, project, agent, model, mode }: Wanted,
  { streams, environment, closing }: Surroundings,
): Promise<Planning> {
  const { repository, store, config } = project;
  const idOf = planningIds();
  const runDirOf = (number: number) => stateFolder(runFolderOf(project, idOf(number)));
  const warn = (message: string) => void streams.stderr.write(`warning: ${message}\n`);
  const sink = sinkOf(config.notify, streams, { keys: new Set() });
  closing.push(holdProject(repository, `planning ${idOf(1)}`).release);
  await giveUpUnfinished(project, { sink, warn });
  const sockets = socketFolder(runDirOf(1));
  closing.push(sockets.remove);
  const confinement = await confine(environment);
  const opened = await openAgent(agent, environment, {
    ...{ sockets: sockets.path, confined: confinement.kind === 'sandboxed' },
    refreshLogin: config.refreshLogin,
  });
  closing.push(opened.close);
  const stop = new AbortController();
  let latest = 1;
  const deaf = onInterrupt({
    onFirst: () => {
      streams.stderr.write('stopping: the planner is ended\n');
      stop.abort();
    },
    onSecond: () =>
      void sweep(workersFolder(runDirOf(latest)), { graceMs: 0 }).finally(() => process.exit(5)),
  });
  closing.push(deaf);
  const lent = await lentProject({
    ...{ repository, runDir: runDirOf(1), warn, signal: stop.signal },
    allowFilters: config.allowFilters,
  });
  closing.push(lent.takeBack);
  const cliOf = (number: number) => ({
    agent: withReads(opened.agent, [...config.sandboxRead, ...lent.read]),
    ...{ confinement, clock: systemClock, onWarning: warn },
    runDir: workersFolder(runDirOf(number)),
  });
  await preflight(cliOf(1));
  const gates = { now: new Date().toISOString(), existing: lent.files };
  const judging = { goal, validate: (document: unknown) => validatePlan(document, gates) };
  const choice = { agent: agent.agent, mode: mode.mode, asked: model, tier: environment.modelTier };
  const runs: string[] = [];
  let fault: unknown;

  const propose = async (request: ProposalRequest) => {
    const { number } = request;
    const runId = idOf(number);
    const spending = spendingOf({
      ...{ choice, limit: {}, history: [] },
      tasks: [planningTask(goal)],
    });
    latest = number;
    runs.push(runId);
    streams.stderr.write(`proposal ${number}: ${agent.agent}, run ${runId}\n`);
    return planningRun({
      ...{ runId, goal, number },
      judge: (text) => judgeProposal(text, judging),
      seams: {
        ...{ sink, audit: auditText, clock: systemClock, signal: request.signal },
        journal: store.journal,
        transport: readOnly(opened.around(cliTransport(cliOf(number))), lent.checkout),
        gate: withRoom([runDirOf(number), repository.commonDir], spending.gate),
        briefing: ({ task, attempt }) =>
          composePlanningBriefing({
            ...{ goal, attempt, taskId: String(task.id), handIn: opened.handIn },
            ...{ keys: planKeys(), files: [...lent.files], maxWorkers: workersFor(mode) },
            wallClockMs: DEFAULTS.wallClockMs,
            ...(request.refused ? { refused: request.refused } : {}),
          }),
        about: {
          ...{ kind: 'planning', proposal: String(number), goal, stateDir: project.stateHome },
          ...{ agent: agent.agent, agentArgs: JSON.stringify(agent.agentArgs) },
          ...{ runMode: mode.mode, runModeReason: mode.reason },
          ...(model === undefined ? {} : { model }),
        },
      },
    }).catch((error: unknown) => {
      // A record that can not be kept is no failure of the agent.
      fault = midRun(error);
      throw error;
    });
  };
  const end = await planFromAgent({ ...judging, propose, signal: stop.signal });
  if (fault !== undefined) throw fault;
  await giveUpUnfinished(project, { sink, warn });
  return { end, runs };
}
