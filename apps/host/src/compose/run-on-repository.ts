import { join } from 'node:path';
import {
  type Agent,
  type CliTransportOptions,
  type Confinement,
  cliTransport,
  preflight,
} from '@atelier/cli-transport';
import {
  type Briefing,
  type EscalationSink,
  type Gate,
  type Journal,
  type Policy,
  type RunEvent,
  type RunOptions,
  type RunReport,
  run,
  systemClock,
  type Task,
} from '@atelier/engine';
import { type Repository, withWorktrees, worktreeAcceptance } from '@atelier/worktrees';

/** Everything that a run on a repository is put together from. */
export interface RepositoryRun {
  readonly runId: string;
  readonly tasks: readonly Task[];
  readonly repository: Repository;
  readonly journal: Journal;
  /** The run's private folder, outside the clone. */
  readonly runDir: string;
  readonly agent: Agent;
  readonly confinement: Confinement;
  readonly briefing: Briefing;
  readonly policy: Partial<Policy>;
  readonly takePlan?: boolean;
  readonly limits?: CliTransportOptions['limits'];
  readonly sink?: EscalationSink;
  readonly gate?: Gate;
  readonly signal?: AbortSignal;
  readonly about?: NonNullable<RunOptions['about']>;
  readonly onEvent?: (event: RunEvent) => void;
  readonly onWarning?: (message: string) => void;
}

/** The engine's report, and the full name of the branch that has the merged work. */
export interface RepositoryReport extends RunReport {
  readonly branch: string;
}

/** Where the processes of a run keep their output, beside its worktrees. */
export const workersFolder = (runDir: string): string => join(runDir, 'workers');

/**
 * Runs tasks in worktrees of a repository, each attempt a confined process, accepted work merged onto the
 * run's own branch. Rejects before anything is charged when the walls, the agent or a folder are not in order.
 */
export async function runOnRepository(given: RepositoryRun): Promise<RepositoryReport> {
  const { runId, tasks, runDir, repository, onWarning = () => undefined } = given;
  const cli: CliTransportOptions = {
    agent: given.agent,
    confinement: given.confinement,
    runDir: workersFolder(runDir),
    clock: systemClock,
    onWarning,
    ...(given.limits ? { limits: given.limits } : {}),
  };
  await preflight(cli);
  const branch = await repository.startRun({ runId, root: runDir, warn: onWarning });
  const { policy, journal, briefing, sink, gate, signal, about, onEvent } = given;
  const report = await run(tasks, {
    runId,
    policy,
    journal,
    briefing,
    clock: systemClock,
    transport: withWorktrees(cliTransport(cli), branch),
    acceptance: worktreeAcceptance(branch),
    ...(given.takePlan ? { takePlan: true } : {}),
    ...(sink ? { sink } : {}),
    ...(gate ? { gate } : {}),
    ...(signal ? { signal } : {}),
    ...(about === undefined ? {} : { about }),
    ...(onEvent ? { onEvent } : {}),
  });
  return { ...report, branch: branch.branch };
}
