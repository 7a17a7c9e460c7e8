import type { RunMode } from '@atelier/budget';
import { sweep } from '@atelier/cli-transport';
import {
  type BarrierCost,
  barrierCost,
  type Policy,
  type RunReport,
  type Task,
  toSeedRecord,
  type WaveOptions,
  watchWaves,
} from '@atelier/engine';
import { printable } from '@atelier/envelope';
import {
  finishedRecord,
  jsonLine,
  renderReport,
  type SandboxState,
  waveReporter,
} from '@atelier/reporters';
import type { ExitCode } from '../command.ts';
import type { Environment } from '../environment.ts';
import { midRun } from '../mid-run.ts';
import { agentPrint } from '../replay/agent-print.ts';
import type { SpendLimit } from '../spend-limit.ts';
import { spendingOf } from '../spending/spending.ts';
import type { Streams } from '../streams.ts';
import { version } from '../version.ts';
import { backoff } from './backoff.ts';
import { chooseReporter } from './choose-reporter.ts';
import { confine } from './confine.ts';
import { openControl } from './control.ts';
import { openEgress, withEgress } from './egress.ts';
import { gateNoteText } from './gate-note.ts';
import { everyGate } from './gates.ts';
import { holdProject } from './hold-project.ts';
import { onInterrupt } from './interrupts.ts';
import { sinkOf } from './notify.ts';
import { type AgentChoice, openAgent } from './open-agent.ts';
import { tokensOfOpenAttempts } from './open-attempts.ts';
import type { PlanSettings } from './plan-settings.ts';
import type { Project } from './project.ts';
import {
  type RepositoryReport,
  type RepositoryRun,
  runOnRepository,
  workersFolder,
} from './run-on-repository.ts';
import { settleEscalations } from './settle-escalations.ts';
import { socketFolder } from './socket-folder.ts';
import { stateFolder } from './state-folder.ts';
import { stopSwitch } from './stop-switch.ts';
import { type Takeover, type TakeoverOutcome, takeOver } from './take-over.ts';
import { tellWaits } from './tell-waits.ts';
import { withReads } from './with-reads.ts';

/** A run that is about to start or to go on. */
export interface Drive {
  readonly runId: string;
  readonly tasks: readonly Task[];
  readonly project: Project;
  /** The run's private folder. */
  readonly runDir: string;
  readonly json: boolean;
  readonly agent: AgentChoice;
  /** What the run may spend in all. */
  readonly budget: SpendLimit;
  /** A tier or the name of a model, for every attempt. */
  readonly model: string | undefined;
  /** What the command line names; a resumed run keeps the rest as it was. */
  readonly policy: Partial<Policy>;
  /** The caps in force. */
  readonly caps: RepositoryRun['caps'];
  /** What the plan asks for beside its tasks. */
  readonly settings: PlanSettings;
  /** Only when it was asked for. */
  readonly takeover?: Takeover | undefined;
  /** With the reason for it, in words. */
  readonly mode: { readonly mode: RunMode; readonly reason: string };
  /** Whether merged work of earlier runs may stand for a task. */
  readonly replay: boolean;
  /** The tasks are those of a changed plan. */
  readonly takePlan?: boolean;
  /** Recorded with the run for whoever resumes it. */
  readonly about: Readonly<Record<string, string>>;
}

/** Drives a run to its end, telling it as it goes, and resolves to the exit code. One host at a time for a project. */
export async function drive(
  given: Drive,
  streams: Streams,
  environment: Environment,
): Promise<ExitCode> {
  const closing: (() => unknown)[] = [];
  try {
    const report = await driveWith(given, { streams, environment, closing });
    return EXIT_CODES[report.verdict];
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface Surroundings {
  readonly streams: Streams;
  readonly environment: Environment;
  /** Takes what must be closed, in the order it was opened. */
  readonly closing: (() => unknown)[];
}

async function driveWith(
  { runId, project, json, mode, about, ...given }: Drive,
  { streams, environment, closing }: Surroundings,
): Promise<RepositoryReport> {
  const lock = holdProject(project.repository, `run ${runId}`);
  closing.push(lock.release);
  const runDir = stateFolder(given.runDir);
  const sockets = socketFolder(runDir);
  closing.push(sockets.remove);
  const confinement = await confine(environment);
  const confined = confinement.kind === 'sandboxed';
  const sandbox: SandboxState = confined
    ? { kind: 'confined', by: confinement.wrap.kind }
    : { kind: 'unsandboxed' };
  const history = await project.store.journal.load(runId);
  const spending = spendingOf({
    choice: {
      ...{ agent: given.agent.agent, mode: mode.mode, asked: given.model },
      tier: environment.modelTier,
    },
    limit: given.budget,
    tasks: given.tasks,
    history,
  });
  const opened = await openAgent(given.agent, environment, {
    ...{ sockets: sockets.path, confined, onUsage: spending.onUsage },
    refreshLogin: project.config.refreshLogin,
    expected: tokensOfOpenAttempts(history),
  });
  closing.push(opened.close);
  const warn = (message: string) => void streams.stderr.write(`warning: ${message}\n`);
  const egress = await openEgress({
    ...{ allow: project.config.allowHosts, sockets: sockets.path, confined, warn },
    tell: (line) => void streams.stderr.write(`${line}\n`),
  });
  if (egress) closing.push(egress.close);
  const stopping = stopSwitch();
  const busy = backoff();
  const control = await openControl({ runDir, sockets: sockets.path, onAbort: stopping.stop });
  closing.push(control.close);
  const deaf = onInterrupt({
    onFirst: () => {
      streams.stderr.write('stopping: workers are ended and their work is saved\n');
      stopping.stop('hard');
    },
    onSecond: () =>
      void sweep(workersFolder(runDir), { graceMs: 0 }).finally(() => process.exit(5)),
  });
  closing.push(deaf);
  const told = { keys: new Set<string>() };
  const sink = sinkOf(project.config.notify, streams, told);
  await settleEscalations({ store: project.store, sink, except: runId, warn });
  const reporter = chooseReporter({ json, runMode: mode, sandbox, history }, streams);
  closing.push(reporter.end);
  const tellWave = json
    ? waveReporter({
        history,
        watch: watchWaves(thresholdOf(environment)),
        write: (text) => streams.stdout.write(text),
      })
    : undefined;
  for (const path of project.config.sandboxRead)
    streams.stderr.write(`workers may read ${printable(path)}\n`);
  let begun = false;
  const report = await runOnRepository({
    runId,
    tasks: given.tasks,
    takePlan: given.takePlan ?? false,
    runDir,
    confinement,
    repository: project.repository,
    journal: project.store.journal,
    agent: withEgress(withReads(opened.agent, project.config.sandboxRead), egress),
    around: opened.around,
    ...(egress ? { egress: egress.reach } : {}),
    read: project.config.sandboxRead,
    handIn: opened.handIn,
    policy: given.policy,
    caps: given.caps,
    ...given.settings,
    ...(given.replay
      ? {
          replay: {
            merged: project.store.merged,
            settings: [version(), agentPrint(given.agent, environment.cwd)],
            modelOf: spending.modelOf,
          },
        }
      : {}),
    sink,
    gate: everyGate(stopping.gate, busy.gate, spending.gate),
    signal: stopping.signal,
    about: {
      ...about,
      sandboxRead: JSON.stringify(project.config.sandboxRead),
      sandbox: confined ? confinement.wrap.kind : confinement.attestedBy,
    },
    onEvent: (event) => {
      begun = true;
      spending.onEvent(event);
      busy.onEvent(event);
      if (event.type === 'escalation.raised') told.keys.add(event.key);
      reporter.event(event);
      tellWave?.(event);
    },
    onSignal: tellWaits(streams),
    onGate: (note) => streams.stderr.write(`${gateNoteText(note)}\n`),
    onWarning: warn,
  }).catch((error: unknown) => {
    throw begun ? midRun(error) : error;
  });
  reporter.end();
  const taken = given.takeover && (await takeOver(report, given.takeover, project.repository));
  const barrier = await barrierOf(project, runId, warn);
  tell(report, { json, confined, taken, barrier }, streams);
  return report;
}

/** What is done is done: a journal that can not be read takes no report away. */
async function barrierOf(
  { store }: Project,
  runId: string,
  warn: (message: string) => void,
): Promise<BarrierCost | undefined> {
  try {
    return barrierCost(await store.journal.load(runId));
  } catch (error) {
    warn(`what the barrier cost is not known: ${printable(error, 300)}`);
    return undefined;
  }
}

const thresholdOf = ({ compressThreshold }: Environment): WaveOptions =>
  compressThreshold === undefined ? {} : { thresholdBytes: compressThreshold };

interface Telling {
  readonly json: boolean;
  readonly confined: boolean;
  readonly taken?: TakeoverOutcome | undefined;
  readonly barrier: BarrierCost | undefined;
}

function tell(
  report: RepositoryReport,
  { json, confined, taken, barrier }: Telling,
  { stdout }: Streams,
): void {
  if (json) {
    stdout.write(
      jsonLine(finishedRecord({ ...report, ...taken, barrier }, report.outcomes.map(toSeedRecord))),
    );
    return;
  }
  const runBranch = report.branch.replace('refs/heads/', '');
  stdout.write(
    renderReport(report, {
      runBranch,
      mergeCommand: `atelier merge ${report.runId}`,
      ...taken,
      barrier,
      resumeCommand: `atelier resume ${report.runId}`,
      unsandboxed: !confined,
      ...(stdout.columns === undefined ? {} : { width: stdout.columns }),
    }),
  );
}

const EXIT_CODES: Readonly<Record<RunReport['verdict'], ExitCode>> = {
  complete: 0,
  abandoned: 3,
  parked: 4,
  interrupted: 5,
};
