import { join } from 'node:path';
import { acceptance, type GateNote, needsShell, type Shell } from '@atelier/acceptance';
import type { Answer, HandIn, TeamChat } from '@atelier/briefing';
import {
  type Agent,
  type CliTransportOptions,
  type ConfinedShellOptions,
  type Confinement,
  cliTransport,
  confinedShell,
  preflight,
} from '@atelier/cli-transport';
import {
  type Briefing,
  type EscalationSink,
  type Gate,
  type Journal,
  type Policy,
  type Recall,
  type RunEvent,
  type RunOptions,
  type RunReport,
  run,
  systemClock,
  type Task,
  type Transport,
} from '@atelier/engine';
import type { PlanWorktree } from '@atelier/engine/plan';
import { CORE_PERSONAS, type Roster, rosterOf } from '@atelier/team-behaviors';
import {
  type Equipment,
  type Offer,
  type Repository,
  type Run,
  withWorktrees,
} from '@atelier/worktrees';
import { mergedBefore, type ReplaySource } from '../replay/merged-before.ts';
import { settingsInKeys } from '../replay/run-settings.ts';
import { auditText } from './audit-text.ts';
import { briefingOf } from './brief.ts';
import { withRoom } from './room.ts';
import { assertReady, setUpBy } from './set-up.ts';
import { tidyUp } from './tidy-up.ts';

/** Everything that a run on a repository is put together from. */
export interface RepositoryRun {
  readonly runId: string;
  readonly tasks: readonly Task[];
  readonly repository: Repository;
  readonly journal: Journal;
  /** The run's private folder, outside the clone. */
  readonly runDir: string;
  readonly agent: Agent;
  /** What its workers need around the transport. */
  readonly around?: (transport: Transport) => Transport;
  /** The way out that commands of the plan have. */
  readonly egress?: Pick<ConfinedShellOptions, 'sockets' | 'bridges' | 'env'>;
  readonly confinement: Confinement;
  /** What workers and commands may read beside their worktree and the system. */
  readonly read?: readonly string[];
  readonly handIn: HandIn;
  /** Who the workers are told to be; the personas that come with the product when absent. */
  readonly roster?: Roster;
  /** What people answered to the escalations of a task. */
  readonly answersTo?: (task: Task) => readonly Answer[];
  /** The chat that people watch the run in. */
  readonly chat?: TeamChat | undefined;
  /** Replaces the built-in briefing. */
  readonly briefing?: Briefing;
  readonly policy: Partial<Policy>;
  /** The caps in force: a resumed run's may not be in `policy`. */
  readonly caps: Pick<Policy, 'maxAttempts' | 'wallClockMs'>;
  /** The command that has to pass on the merged work of each wave. */
  readonly waveGate?: string;
  /** What a fresh worktree needs beside its files. */
  readonly worktree?: PlanWorktree;
  readonly onGate?: (note: GateNote) => void;
  /** Where merged work of earlier runs is found, and what it depends on beside tasks and files. */
  readonly replay?: Pick<ReplaySource, 'merged' | 'settings' | 'modelOf'>;
  readonly takePlan?: boolean;
  readonly limits?: CliTransportOptions['limits'];
  readonly sink?: EscalationSink;
  readonly gate?: Gate;
  readonly signal?: AbortSignal;
  readonly about?: NonNullable<RunOptions['about']>;
  readonly onEvent?: (event: RunEvent) => void;
  readonly onSignal?: RunOptions['onSignal'];
  readonly onWarning?: (message: string) => void;
}

/** The engine's report, and where the merged work is. */
export interface RepositoryReport extends RunReport {
  /** The full name of the run's branch. */
  readonly branch: string;
  /** The commit that it is at; empty where that can not be told any more. */
  readonly tip: string;
}

/** Where the processes of a run keep their output, beside its worktrees. */
export const workersFolder = (runDir: string): string => join(runDir, 'workers');

/**
 * Runs tasks in worktrees of a repository, each attempt a confined process; what is checked, reviewed and passes the
 * gate is merged onto the run's own branch. Rejects before anything is charged when the walls, the agent, a folder
 * or the set-up of worktrees are not in order.
 */
export async function runOnRepository(given: RepositoryRun): Promise<RepositoryReport> {
  const { runId, tasks, runDir, repository, worktree = {}, onWarning = () => undefined } = given;
  const cli: CliTransportOptions = {
    agent: given.agent,
    confinement: given.confinement,
    runDir: workersFolder(runDir),
    clock: systemClock,
    onWarning,
    ...(given.limits ? { limits: given.limits } : {}),
  };
  await preflight(cli);
  const shell = shellFor(given, cli);
  const { setup = [] } = worktree;
  const branch = await repository.startRun({
    runId,
    root: runDir,
    warn: onWarning,
    equipment: equipmentOf(given),
    ...(shell && setup.length > 0 ? { setUp: setUpBy(shell, setup) } : {}),
  });
  const { policy, journal, sink, gate, signal, about, onEvent, onGate } = given;
  await branch.assertMerged(mergesIn(await journal.load(runId)));
  if (worktree.setup || worktree.copy || worktree.link) await assertReady(branch);
  const { roster = rosterOf(CORE_PERSONAS), chat, ...rest } = given;
  const brief = (chat?: TeamChat) =>
    given.briefing ?? briefingOf({ ...rest, roster, chat, work: branch });
  const report = await run(tasks, {
    runId,
    policy,
    journal,
    briefing: brief(chat),
    // A chat is for who watches: work is the same work whether anybody did.
    ...(given.replay
      ? {
          recall: recallOf(given, given.replay, {
            briefing: brief(),
            work: branch,
            warn: onWarning,
          }),
        }
      : {}),
    clock: systemClock,
    transport: withWorktrees((given.around ?? plainly)(cliTransport(cli)), branch),
    audit: auditText,
    acceptance: acceptance({
      workspace: branch,
      commandMs: given.caps.wallClockMs,
      ...(shell ? { shell } : {}),
      ...gateOf(given),
      ...(onGate ? { onGate } : {}),
    }),
    ...(given.takePlan ? { takePlan: true } : {}),
    ...(sink ? { sink } : {}),
    gate: withRoom([runDir, repository.commonDir], gate),
    ...(signal ? { signal } : {}),
    ...(about === undefined ? {} : { about }),
    ...(onEvent ? { onEvent } : {}),
    ...(given.onSignal ? { onSignal: given.onSignal } : {}),
  });
  // What is done is done: nothing from here on takes the report away.
  const warn = (error: unknown) => onWarning(error instanceof Error ? error.message : `${error}`);
  await tidyUp({ work: branch, journal, workers: workersFolder(runDir) }).catch(warn);
  const tip = await branch.tip().catch((error: unknown) => {
    warn(error);
    return '';
  });
  return { ...report, branch: branch.branch, tip };
}

/** What the run has merged so far, here or in an earlier run. */
const mergesIn = (events: readonly RunEvent[]): readonly Offer[] =>
  events.flatMap((event) => {
    if (event.type !== 'task.completed' && event.type !== 'task.replayed') return [];
    const { merge } = Object(event.evidence) as { readonly merge?: unknown };
    return typeof merge === 'string' ? [{ taskId: event.taskId, commit: merge }] : [];
  });

const plainly = (transport: Transport): Transport => transport;

/** Every part of a run's setting that a result could depend on is in the key of its content. */
function recallOf(
  { tasks, waveGate, worktree, read = [], confinement, handIn }: RepositoryRun,
  { merged, settings, modelOf }: Pick<ReplaySource, 'merged' | 'settings' | 'modelOf'>,
  seams: Pick<ReplaySource, 'briefing' | 'warn'> & { readonly work: Run },
): Recall {
  const walls = confinement.kind === 'sandboxed' ? confinement.wrap.kind : confinement.kind;
  const all = settingsInKeys({ host: settings, waveGate, worktree, read, walls, handIn });
  const isGated = waveGate !== undefined || (worktree?.setup ?? []).length > 0;
  return mergedBefore({
    ...{ ...seams, tasks, merged, settings: all, isGated },
    files: async () => [...read, ...(await seams.work.equipped())],
    ...(modelOf ? { modelOf } : {}),
  });
}

/** A hard link shares its bytes with the person's clone: only walls keep them from being changed. */
function equipmentOf({ worktree = {}, confinement }: RepositoryRun): Equipment {
  const { copy = [], link = [] } = worktree;
  if (confinement.kind === 'sandboxed') return { copy, link };
  return { copy: [...copy, ...link.flatMap((path) => [path, `${path}/**`])] };
}

/**
 * With a set-up, there is a gate in any case: merged work in which worktrees can not be set up any more would cost
 * every task of the next wave its attempts.
 */
function gateOf({ waveGate, worktree }: RepositoryRun): { gate?: string } {
  if (waveGate !== undefined) return { gate: waveGate };
  return (worktree?.setup ?? []).length > 0 ? { gate: 'true' } : {};
}

/** Commands of a plan run behind the same walls as its workers; without any there is nothing to run them. */
function shellFor(
  { tasks, waveGate, worktree, read = [], egress = {} }: RepositoryRun,
  { agent: _, ...cli }: CliTransportOptions,
): Shell | undefined {
  const commands = needsShell(tasks, waveGate) || (worktree?.setup ?? []).length > 0;
  return commands ? confinedShell({ ...cli, ...egress, read }) : undefined;
}
