import type { HandIn } from '@atelier/briefing';
import type { ResolvedRunMode } from '@atelier/budget';
import { cliTransport, preflight } from '@atelier/cli-transport';
import {
  type Parking,
  type RunEvent,
  type RunOptions,
  systemClock,
  type Task,
} from '@atelier/engine';
import { auditText } from '../compose/audit-text.ts';
import { confine } from '../compose/confine.ts';
import { sinkOf } from '../compose/notify.ts';
import { type AgentChoice, openAgent } from '../compose/open-agent.ts';
import type { Project } from '../compose/project.ts';
import { withRoom } from '../compose/room.ts';
import { runFolderOf } from '../compose/run-folder.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { socketFolder } from '../compose/socket-folder.ts';
import { stateFolder } from '../compose/state-folder.ts';
import { withReads } from '../compose/with-reads.ts';
import type { Environment } from '../environment.ts';
import type { SpendLimit } from '../spend-limit.ts';
import { type Spending, spendingOf } from '../spending/spending.ts';
import type { Streams } from '../streams.ts';
import { giveUpUnfinished } from './give-up.ts';
import type { Interrupts } from './interrupts.ts';
import { lentProject } from './lent-project.ts';
import { readOnly } from './read-only.ts';

/** What attempts that only look at the project are made with. */
export interface Readers {
  readonly project: Project;
  readonly agent: AgentChoice;
  /** A tier or the name of a model. */
  readonly model: string | undefined;
  readonly mode: Pick<ResolvedRunMode, 'mode'> & { readonly reason: string };
}

export interface ReadingOptions extends Readers {
  /** The name of the first run. What all of them share is kept in its folder. */
  readonly firstRun: string;
  /** Who the attempts are, in words. */
  readonly who: string;
  readonly interrupts: Interrupts;
  /** What all attempts may spend, with what was spent `before`. */
  readonly limit: SpendLimit;
  readonly before: readonly RunEvent[];
  /** Tasks such as they will be given: what could not be priced, or has no such model, is refused at once. */
  readonly likely: readonly Task[];
}

export interface Surroundings {
  readonly streams: Streams;
  readonly environment: Environment;
  /** Takes what must be closed, in the order it was opened. */
  readonly closing: (() => unknown)[];
}

/** The project at HEAD and an agent behind the walls, for attempts one after the other that only look. */
export interface Reading {
  /** The files at HEAD, as git lists them. */
  readonly files: ReadonlySet<string>;
  readonly handIn: HandIn;
  /** What is recorded with every attempt. */
  readonly about: Readonly<Record<string, string>>;
  /** Why nobody is to be asked for now: what is left of the limit is not enough for an attempt at a task. */
  shortage(task: Task): Parking | undefined;
  /** What the run of the next attempt is put together from, but for its briefing. */
  seamsOf(runId: string, task: Task): Omit<RunOptions, 'runId' | 'policy' | 'acceptance'>;
  /** Brings to its end what was parked or interrupted. */
  giveUp(): Promise<void>;
}

/**
 * Gives up what an earlier host has left, and makes everything ready that an attempt needs. For whoever holds the project.
 * The clone is only read. Throws the coded error of whatever refuses before anything is charged.
 */
export async function openReading(
  options: ReadingOptions,
  { streams, environment, closing }: Surroundings,
): Promise<Reading> {
  const { project, agent, model, mode, firstRun, who, interrupts, limit } = options;
  const { repository, store, config } = project;
  const runDirOf = (runId: string) => stateFolder(runFolderOf(project, runId));
  const warn = (message: string) => void streams.stderr.write(`warning: ${message}\n`);
  const sink = sinkOf(config.notify, streams, { keys: new Set() });
  const giveUp = () => giveUpUnfinished(project, { sink, warn });
  const choice = { agent: agent.agent, mode: mode.mode, asked: model, tier: environment.modelTier };
  const charged = [...options.before];
  const spendingFor = (tasks: readonly Task[]) =>
    spendingOf({ choice, limit, tasks, history: [], before: charged });
  spendingFor(options.likely);
  let spending: Spending | undefined;
  await giveUp();
  const sockets = socketFolder(runDirOf(firstRun));
  closing.push(sockets.remove);
  const confinement = await confine(environment);
  const opened = await openAgent(agent, environment, {
    ...{ sockets: sockets.path, confined: confinement.kind === 'sandboxed' },
    refreshLogin: config.refreshLogin,
    onUsage: (order, usage) => spending?.onUsage(order, usage) ?? 'go',
  });
  closing.push(opened.close);
  const { signal } = interrupts;
  interrupts.onFolder(workersFolder(runDirOf(firstRun)));
  const lent = await lentProject({
    ...{ repository, runDir: runDirOf(firstRun), warn, signal },
    allowFilters: config.allowFilters,
  });
  closing.push(lent.takeBack);
  const cliOf = (runId: string) => ({
    agent: withReads(opened.agent, [...config.sandboxRead, ...lent.read]),
    ...{ confinement, clock: systemClock, onWarning: warn },
    runDir: workersFolder(runDirOf(runId)),
  });
  await preflight(cliOf(firstRun));
  return {
    ...{ files: lent.files, handIn: opened.handIn, giveUp },
    about: {
      ...{ stateDir: project.stateHome },
      ...{ agent: agent.agent, agentArgs: JSON.stringify(agent.agentArgs) },
      ...{ runMode: mode.mode, runModeReason: mode.reason },
      ...(model === undefined ? {} : { model }),
    },
    shortage(task) {
      const detail = spendingFor([task]).shortage(task);
      return detail === undefined ? undefined : { cause: 'budget', detail };
    },
    seamsOf(runId, task) {
      const own = spendingFor([task]);
      spending = own;
      interrupts.onFolder(workersFolder(runDirOf(runId)));
      return {
        ...{ sink, audit: auditText, clock: systemClock, signal },
        journal: store.journal,
        transport: readOnly(opened.around(cliTransport(cliOf(runId))), lent.checkout, who),
        gate: withRoom([runDirOf(runId), repository.commonDir], own.gate),
        onEvent(event) {
          own.onEvent(event);
          charged.push(event);
        },
      };
    },
  };
}
