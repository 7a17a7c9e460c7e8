import { join } from 'node:path';
import type { TeamChat } from '@atelier/briefing';
import type { RunMode } from '@atelier/budget';
import { parseRunMode, workersOf } from '@atelier/budget';
import type {
  Agent,
  CommandWrap,
  Confinement,
  FakeRunner,
  PermissionMode,
} from '@atelier/cli-transport';
import {
  type Briefing,
  DEFAULTS,
  type Escalation,
  type EscalationSink,
  type Journal,
  type Outcome,
  type RunReport,
  type SeedRecord,
  type Task,
  toSeedRecord,
} from '@atelier/engine';
import type { PlanWorktree } from '@atelier/engine/plan';
import { type AuditLedger, CORE_PERSONAS, type Persona, rosterOf } from '@atelier/team-behaviors';
import { openRepository, type Repository } from '@atelier/worktrees';
import { knownAgent } from './compose/agents.ts';
import { backoff } from './compose/backoff.ts';
import { BREAK_AFTER } from './compose/break-after.ts';
import { everyGate } from './compose/gates.ts';
import { holdProject } from './compose/hold-project.ts';
import { openAgent, opened } from './compose/open-agent.ts';
import { tokensOfOpenAttempts } from './compose/open-attempts.ts';
import { pairedBy, type ReviewPairing } from './compose/pair-reviewers.ts';
import { newRunId } from './compose/run-id.ts';
import { runOnRepository } from './compose/run-on-repository.ts';
import { socketFolder } from './compose/socket-folder.ts';
import { stateFolder } from './compose/state-folder.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { HostError } from './host-error.ts';
import type { SpendLimit } from './spend-limit.ts';
import { spendingOf } from './spending/spending.ts';
import { latched } from './team/latched.ts';

/** One option per argument of the dispatch recipe; the README has the table of names. */
export interface HostPipelineOptions {
  /** A folder of the clone that everything stays inside of. */
  readonly repo: string;
  readonly journal: Journal;
  /** Read for `ATELIER_*` and the model API; the process's own is never consulted. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Explicit: there is no default to fall back to. */
  readonly runMode: RunMode;
  /** Where worktrees and private files go: a folder outside the clone. */
  readonly worktrees: { readonly stateDir: string };
  /** Walls whose self-test has passed in this process. Null is refused unless `runner` is a fake. */
  readonly sandbox: CommandWrap | null;
  /** Stands in for processes in tests; exempt from the sandbox by its type. */
  readonly runner?: FakeRunner;
  /**
   * The workers: `claude` (when absent), `codex` or `command:PROGRAM`, or an agent of your own. Claude and codex are called
   * through the host's proxy, so they are given by name.
   */
  readonly agent?: Agent | string;
  /** Called at once for every abandonment, besides the stored record. */
  readonly onEscalation?: (escalation: Escalation) => unknown;
  /** Git filters that tracked files may be stored through. */
  readonly allowFilters?: readonly string[];
  /** Replaces the built-in briefing. */
  readonly briefingFor?: Briefing;
  /** For the claude agent. */
  readonly permissionMode?: PermissionMode;
  /** A run mode may lower it further. */
  readonly maxWorkers?: number;
  /** At most thirty minutes. */
  readonly wallClockMs?: number;
  readonly runId?: string;
  readonly signal?: AbortSignal;
  /** The command that has to pass on the merged work of each wave; needs a sandbox. */
  readonly gate?: string;
  /** What fresh worktrees need beside their files. */
  readonly worktree?: PlanWorktree;
  /** Reviewers by the author they review. Given, even empty, it replaces what the tasks' `reviews` say. */
  readonly reviewPairing?: ReviewPairing;
  /** What the run may spend in all; the run mode may leave more of it unspent. */
  readonly budget?: SpendLimit;
  /** The model of a task, by its full name. For claude, absent: by phase, difficulty, role and run mode. */
  readonly modelFor?: (task: Task) => string | undefined;
  /** The team in whose ledger each abandonment is booked, once; with `ledger`. */
  readonly teamId?: string;
  /** Such as `openStore(…).team.ledger`, where the team has to be registered. */
  readonly ledger?: AuditLedger;
  /** Whom tasks may name beside the personas that come with the product. One that nobody knows fails its attempts. */
  readonly personas?: readonly Persona[];
  /** What briefings say of the chat that people watch the run in. */
  readonly chat?: TeamChat;
}

/** What a run on a repository came to. */
export interface HostPipelineResult extends RunReport {
  /** The flat records, in `(parallel_group, id)` order. */
  readonly results: readonly SeedRecord[];
  readonly outcomes: readonly Outcome[];
  /** The full name of the branch that has the merged work. */
  readonly branch: string;
}

/**
 * Runs a list of tasks on a repository: one call, one await. Throws before anything is charged: the engine's
 * pre-flight errors, `UNSANDBOXED_REAL_RUN`, `UNKNOWN_TRANSPORT`, the repository's refusals, `LEDGER_REQUIRED`,
 * `ROSTER_INVALID`, `RUN_MODE_REQUIRED`, `AGENT_BY_NAME`.
 */
export async function dispatchHostPipeline(
  given: readonly Task[],
  options: HostPipelineOptions,
): Promise<HostPipelineResult> {
  assertComplete(options);
  const tasks = options.reviewPairing ? pairedBy(given, options.reviewPairing) : given;
  const { env, repo, sandbox, runner } = options;
  const environment = readEnvironment(env, repo);
  const confinement = confinementOf(sandbox, runner, environment.allowUnsandboxed);
  const repository = await openRepository({
    dir: repo,
    ...(options.allowFilters ? { allowFilters: options.allowFilters } : {}),
  });
  const runId = options.runId ?? newRunId();
  const runDir = stateFolder(join(options.worktrees.stateDir, repository.id, runId));
  const lock = holdProject(repository, `run ${runId}`);
  const sockets = socketFolder(runDir);
  try {
    return await runConfined(tasks, options, {
      runId,
      runDir,
      environment,
      confinement,
      repository,
      sockets: sockets.path,
    });
  } finally {
    sockets.remove();
    lock.release();
  }
}

interface Prepared {
  readonly runId: string;
  readonly runDir: string;
  readonly environment: Environment;
  readonly confinement: Confinement;
  readonly repository: Repository;
  readonly sockets: string;
}

async function runConfined(
  tasks: readonly Task[],
  options: HostPipelineOptions,
  { environment, sockets, confinement, ...prepared }: Prepared,
): Promise<HostPipelineResult> {
  const { journal, runMode, sandbox, signal, permissionMode } = options;
  const confined = confinement.kind !== 'attested-host';
  const { runId } = prepared;
  const { agent = 'claude' } = options;
  const history = await journal.load(runId);
  const busy = backoff();
  const spending = spendingOf({
    choice: {
      ...{
        agent: typeof agent === 'string' ? agent : agent.name,
        mode: runMode,
        tier: environment.modelTier,
      },
      ...(options.modelFor ? { modelFor: options.modelFor } : {}),
    },
    ...{ limit: options.budget ?? {}, tasks },
    history,
  });
  const workers =
    typeof agent === 'string'
      ? await openAgent({ agent, agentArgs: [] }, environment, {
          ...{ sockets, confined, permissionMode, onUsage: spending.onUsage },
          expected: tokensOfOpenAttempts(history),
        })
      : opened(agent);
  try {
    const report = await runOnRepository({
      ...prepared,
      tasks,
      journal,
      confinement,
      agent: workers.agent,
      around: workers.around,
      gate: everyGate(busy.gate, spending.gate),
      onEvent: (event) => {
        spending.onEvent(event);
        busy.onEvent(event);
      },
      handIn: workers.handIn,
      caps: { ...DEFAULTS, wallClockMs: options.wallClockMs ?? DEFAULTS.wallClockMs },
      ...(options.briefingFor ? { briefing: options.briefingFor } : {}),
      ...(options.gate === undefined ? {} : { waveGate: options.gate }),
      ...(options.worktree ? { worktree: options.worktree } : {}),
      policy: {
        breakAfter: BREAK_AFTER,
        maxWorkers:
          workersOf(runMode, options.maxWorkers ?? DEFAULTS.maxWorkers) ?? DEFAULTS.maxWorkers,
        ...(options.wallClockMs === undefined ? {} : { wallClockMs: options.wallClockMs }),
      },
      about: { runMode, sandbox: confined ? (sandbox?.kind ?? 'no process') : 'attested host' },
      ...sinkFor(options),
      roster: rosterOf([...CORE_PERSONAS, ...(options.personas ?? [])]),
      chat: options.chat,
      ...(signal ? { signal } : {}),
    });
    return { ...report, results: report.outcomes.map(toSeedRecord) };
  } finally {
    await workers.close();
  }
}

/** The ledger is an addition: the caller's own sink, or the engine's warning, comes first. */
function sinkFor({ onEscalation, teamId, ledger }: HostPipelineOptions): { sink?: EscalationSink } {
  if (teamId === undefined || !ledger) return onEscalation ? { sink: onEscalation } : {};
  const warn = (message: string) => console.warn(`WARNING ${message}`);
  return { sink: latched(onEscalation, { ledger, teamId, warn }) };
}

function assertComplete(options: HostPipelineOptions): void {
  if ((options.teamId === undefined) !== (options.ledger === undefined))
    throw new HostError(
      'LEDGER_REQUIRED',
      'a team books its escalations in a ledger: one of teamId and ledger is missing',
      'Pass both, for example openStore({ path }).team.ledger, or neither.',
    );
  const { agent = 'claude', runner } = options;
  if (typeof agent !== 'string' && knownAgent(agent.name))
    throw new HostError(
      'AGENT_BY_NAME',
      `an agent named ${agent.name} is called through the host's proxy, which alone meters it and has the credential`,
      `Pass agent: '${agent.name}'.`,
    );
  if (options.permissionMode !== undefined && agent !== 'claude')
    throw new HostError(
      'PERMISSION_MODE',
      'permissionMode is for the claude agent, and another agent is given',
      'Leave one of the two out.',
    );
  if (runner && typeof agent === 'string')
    throw new HostError(
      'AGENT_REQUIRED',
      'a fake runner plays an agent, and none is given',
      'Pass agent, for example commandAgent({ program }).',
    );
  if (parseRunMode(options.runMode) === undefined)
    throw new HostError(
      'RUN_MODE_REQUIRED',
      'runMode must be given: the postures differ in what they spend',
      'Pass cost-lean, balanced or quality-lean.',
    );
}

function confinementOf(
  sandbox: CommandWrap | null,
  runner: FakeRunner | undefined,
  allowUnsandboxed: boolean,
): Confinement {
  if (runner) return runner;
  if (sandbox) return { kind: 'sandboxed', wrap: sandbox };
  if (allowUnsandboxed)
    return { kind: 'attested-host', attestedBy: 'ATELIER_CLI_ALLOW_UNSANDBOXED=1' };
  throw new HostError(
    'UNSANDBOXED_REAL_RUN',
    'no sandbox was given, so no agent is run',
    'Pass platformSandbox() of @atelier/sandbox, its selfTest() awaited; on Linux it needs bubblewrap.',
  );
}
