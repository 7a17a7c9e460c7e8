import type { HandIn } from '@atelier/briefing';
import type { ResolvedRunMode } from '@atelier/budget';
import { cliTransport, preflight, sweep } from '@atelier/cli-transport';
import { type RunOptions, systemClock, type Task } from '@atelier/engine';
import { auditText } from '../compose/audit-text.ts';
import { confine } from '../compose/confine.ts';
import { holdProject } from '../compose/hold-project.ts';
import { onInterrupt } from '../compose/interrupts.ts';
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
import { spendingOf } from '../spending/spending.ts';
import type { Streams } from '../streams.ts';
import { giveUpUnfinished } from './give-up.ts';
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
  /** What another host is told of this one; undefined where the caller holds the project already. */
  readonly holder: string | undefined;
  /** Who the attempts are, in words. */
  readonly who: string;
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
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
  /** What is recorded with every attempt. */
  readonly about: Readonly<Record<string, string>>;
  /** What the run of the next attempt is put together from, but for its briefing. */
  seamsOf(runId: string, task: Task): Omit<RunOptions, 'runId' | 'policy' | 'acceptance'>;
  /** Brings to its end what was parked or interrupted. */
  giveUp(): Promise<void>;
}

/**
 * Holds the project, gives up what an earlier host has left, and makes everything ready that an attempt needs. The clone
 * is only read. Throws the coded error of whatever refuses before anything is charged.
 */
export async function openReading(
  options: ReadingOptions,
  { streams, environment, closing }: Surroundings,
): Promise<Reading> {
  const { project, agent, model, mode, firstRun, holder, who } = options;
  const { repository, store, config } = project;
  const runDirOf = (runId: string) => stateFolder(runFolderOf(project, runId));
  const warn = (message: string) => void streams.stderr.write(`warning: ${message}\n`);
  const sink = sinkOf(config.notify, streams, { keys: new Set() });
  const giveUp = () => giveUpUnfinished(project, { sink, warn });
  if (holder !== undefined) closing.push(holdProject(repository, holder).release);
  await giveUp();
  const sockets = socketFolder(runDirOf(firstRun));
  closing.push(sockets.remove);
  const confinement = await confine(environment);
  const opened = await openAgent(agent, environment, {
    ...{ sockets: sockets.path, confined: confinement.kind === 'sandboxed' },
    refreshLogin: config.refreshLogin,
  });
  closing.push(opened.close);
  const stop = new AbortController();
  let latest = firstRun;
  const deaf = onInterrupt({
    onFirst: () => {
      streams.stderr.write(`stopping: ${who} is ended\n`);
      stop.abort();
    },
    onSecond: () =>
      void sweep(workersFolder(runDirOf(latest)), { graceMs: 0 }).finally(() => process.exit(5)),
  });
  closing.push(deaf);
  const lent = await lentProject({
    ...{ repository, runDir: runDirOf(firstRun), warn, signal: stop.signal },
    allowFilters: config.allowFilters,
  });
  closing.push(lent.takeBack);
  const cliOf = (runId: string) => ({
    agent: withReads(opened.agent, [...config.sandboxRead, ...lent.read]),
    ...{ confinement, clock: systemClock, onWarning: warn },
    runDir: workersFolder(runDirOf(runId)),
  });
  await preflight(cliOf(firstRun));
  const choice = { agent: agent.agent, mode: mode.mode, asked: model, tier: environment.modelTier };
  return {
    ...{ files: lent.files, handIn: opened.handIn, signal: stop.signal, giveUp },
    about: {
      ...{ stateDir: project.stateHome },
      ...{ agent: agent.agent, agentArgs: JSON.stringify(agent.agentArgs) },
      ...{ runMode: mode.mode, runModeReason: mode.reason },
      ...(model === undefined ? {} : { model }),
    },
    seamsOf(runId, task) {
      const spending = spendingOf({ choice, limit: {}, history: [], tasks: [task] });
      latest = runId;
      return {
        ...{ sink, audit: auditText, clock: systemClock, signal: stop.signal },
        journal: store.journal,
        transport: readOnly(opened.around(cliTransport(cliOf(runId))), lent.checkout, who),
        gate: withRoom([runDirOf(runId), repository.commonDir], spending.gate),
      };
    },
  };
}
