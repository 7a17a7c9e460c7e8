import type { ResolvedRunMode } from '@atelier/budget';
import { sweep } from '@atelier/cli-transport';
import { type RunReport, type Task, toSeedRecord } from '@atelier/engine';
import { finishedRecord, jsonLine, renderReport, type SandboxState } from '@atelier/reporters';
import type { ExitCode } from '../command.ts';
import type { RunArguments } from '../commands/run-arguments.ts';
import type { Environment } from '../environment.ts';
import type { Streams } from '../streams.ts';
import { briefingOf } from './brief.ts';
import { chooseReporter } from './choose-reporter.ts';
import { confine } from './confine.ts';
import { openControl } from './control.ts';
import { onInterrupt } from './interrupts.ts';
import { openAgent, withReads } from './open-agent.ts';
import type { Project } from './project.ts';
import { type RepositoryReport, runOnRepository, workersFolder } from './run-on-repository.ts';
import { socketFolder } from './socket-folder.ts';
import { stateFolder } from './state-folder.ts';
import { stopSwitch } from './stop-switch.ts';

/** A run that is about to start or to go on. */
export interface Drive {
  readonly runId: string;
  readonly tasks: readonly Task[];
  readonly project: Project;
  readonly given: RunArguments;
  readonly mode: ResolvedRunMode;
  /** The tasks are those of a changed plan. */
  readonly takePlan?: boolean;
  /** Recorded with the run for whoever resumes it. */
  readonly about: Readonly<Record<string, string>>;
}

/** Drives a run to its end, telling it as it goes, and resolves to the exit code. */
export async function drive(
  { runId, tasks, project, given, mode, about, takePlan = false }: Drive,
  streams: Streams,
  environment: Environment,
): Promise<ExitCode> {
  const runDir = stateFolder(project.runDir(runId));
  const sockets = socketFolder();
  try {
    const confinement = await confine(environment);
    const confined = confinement.kind === 'sandboxed';
    const sandbox: SandboxState = confined
      ? { kind: 'confined', by: confinement.wrap.kind }
      : { kind: 'unsandboxed' };
    const opened = await openAgent(given, environment, { sockets: sockets.path, confined });
    const stopping = stopSwitch();
    const control = await openControl({ runDir, sockets: sockets.path, onAbort: stopping.stop });
    const deaf = onInterrupt({
      onFirst: () => {
        streams.stderr.write('stopping: workers are ended and their work is saved\n');
        stopping.stop('hard');
      },
      onSecond: () =>
        void sweep(workersFolder(runDir), { graceMs: 0 }).finally(() => process.exit(5)),
    });
    const history = await project.store.journal.load(runId);
    const reporter = chooseReporter({ json: given.json, runMode: mode, sandbox, history }, streams);
    try {
      const report = await runOnRepository({
        runId,
        tasks,
        takePlan,
        runDir,
        confinement,
        repository: project.repository,
        journal: project.store.journal,
        agent: withReads(opened.agent, project.config.sandboxRead),
        briefing: briefingOf(opened.handIn, given.policy.maxAttempts ?? 5),
        policy: given.policy,
        sink: () => undefined,
        gate: stopping.gate,
        signal: stopping.signal,
        about: { ...about, sandbox: confined ? confinement.wrap.kind : confinement.attestedBy },
        onEvent: reporter.event,
        onWarning: (message) => streams.stderr.write(`warning: ${message}\n`),
      });
      reporter.end();
      tell(report, { json: given.json, confined }, streams);
      return exitCodeOf(report);
    } finally {
      reporter.end();
      deaf();
      control.close();
      await opened.close();
    }
  } finally {
    sockets.remove();
  }
}

function tell(
  report: RepositoryReport,
  { json, confined }: { json: boolean; confined: boolean },
  { stdout }: Streams,
): void {
  if (json) {
    stdout.write(jsonLine(finishedRecord(report, report.outcomes.map(toSeedRecord))));
    return;
  }
  const runBranch = report.branch.replace('refs/heads/', '');
  stdout.write(
    renderReport(report, {
      runBranch,
      mergeCommand: `git merge ${runBranch}`,
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

const exitCodeOf = ({ verdict }: RunReport): ExitCode => EXIT_CODES[verdict];
