import type { LedgerSum, RunMode } from '@atelier/budget';
import {
  type EscalationSink,
  type Policy,
  type RunEvent,
  type Task,
  type WaveOptions,
  watchWaves,
} from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { type SandboxState, waveReporter } from '@atelier/reporters';
import type { Roster } from '@atelier/team-behaviors';
import type { Environment } from '../environment.ts';
import type { MeetingPlan } from '../meeting/plan-met.ts';
import { costOfTurns, turnsBefore } from '../meeting/turns-before.ts';
import { midRun } from '../mid-run.ts';
import { giveUpUnfinished } from '../planner/give-up.ts';
import { agentPrint } from '../replay/agent-print.ts';
import type { SpendLimit } from '../spend-limit.ts';
import { spendingOf } from '../spending/spending.ts';
import type { Streams } from '../streams.ts';
import type { Chat } from '../team/chat.ts';
import { version } from '../version.ts';
import { backoff } from './backoff.ts';
import { chooseReporter } from './choose-reporter.ts';
import { confine } from './confine.ts';
import { openControl } from './control.ts';
import { openEgress, withEgress } from './egress.ts';
import { gateNoteText } from './gate-note.ts';
import { everyGate } from './gates.ts';
import { sinkOf } from './notify.ts';
import { type AgentChoice, openAgent } from './open-agent.ts';
import { tokensOfOpenAttempts } from './open-attempts.ts';
import type { PlanSettings } from './plan-settings.ts';
import type { Project } from './project.ts';
import { type RepositoryReport, type RepositoryRun, runOnRepository } from './run-on-repository.ts';
import { settleEscalations } from './settle-escalations.ts';
import { socketFolder } from './socket-folder.ts';
import { stateFolder } from './state-folder.ts';
import type { StopSwitch } from './stop-switch.ts';
import { type Takeover, takeOver } from './take-over.ts';
import { barrierOf, type Telling } from './tell-run.ts';
import { tellWaits } from './tell-waits.ts';
import { withReads } from './with-reads.ts';

/** A run that is about to start or to go on. */
export interface Drive {
  readonly runId: string;
  /** What it is all for, as the plan says. */
  readonly goal: string;
  /** The meeting of its team; absent for a run that has begun, which holds none. */
  readonly meeting?: {
    /** What names the plan that it is to be over. */
    readonly about: MeetingPlan;
    /** The team is to meet before anything is dispatched, if it has not. */
    readonly isWanted: boolean;
  };
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

interface Surroundings {
  readonly streams: Streams;
  readonly environment: Environment;
  /** Takes what must be closed, in the order it was opened. */
  readonly closing: (() => unknown)[];
  /** Stops the run, from wherever it is told to. */
  readonly stopping: StopSwitch;
  readonly roster: Roster;
  readonly answersTo: NonNullable<RepositoryRun['answersTo']>;
  readonly chat: Pick<Chat, 'told' | 'onEvent'>;
  /** What else is done for an escalation of a run; the given sink stays first. */
  readonly escalate: (sink: EscalationSink, runId: string) => EscalationSink;
  readonly onEvent: (event: RunEvent) => void;
}

/** A run that has been driven to its end, and what there is to say of it. */
export interface DrivenRun {
  readonly report: RepositoryReport;
  readonly telling: Telling;
  /** What the meeting of its team has used; undefined without one. */
  readonly meetingCost: LedgerSum | undefined;
}

/** The one await of a run, in which its workers work: opens what they need, and closes it again. */
export async function driveRun(
  { runId, project, json, mode, about, ...given }: Drive,
  { streams, environment, closing, stopping, roster, chat, ...around }: Surroundings,
): Promise<DrivenRun> {
  const runDir = stateFolder(given.runDir);
  const sockets = socketFolder(runDir);
  closing.push(sockets.remove);
  const confinement = await confine(environment);
  const confined = confinement.kind === 'sandboxed';
  const sandbox: SandboxState = confined
    ? { kind: 'confined', by: confinement.wrap.kind }
    : { kind: 'unsandboxed' };
  const history = await project.store.journal.load(runId);
  const turns = await turnsBefore(project.store, runId);
  const spending = spendingOf({
    choice: {
      ...{ agent: given.agent.agent, mode: mode.mode, asked: given.model },
      tier: environment.modelTier,
    },
    limit: given.budget,
    tasks: given.tasks,
    history,
    before: turns.flat(),
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
  const busy = backoff();
  const control = await openControl({ runDir, sockets: sockets.path, onAbort: stopping.stop });
  closing.push(control.close);
  const told = { keys: new Set<string>() };
  const notify = sinkOf(project.config.notify, streams, told);
  const sinkFor = (run: string) => around.escalate(notify, run);
  await giveUpUnfinished(project, { sink: notify, warn });
  await settleEscalations({ store: project.store, sinkOf: sinkFor, except: runId, warn });
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
    roster,
    answersTo: around.answersTo,
    chat: chat.told,
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
    sink: sinkFor(runId),
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
      chat.onEvent(event);
      around.onEvent(event);
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
  return {
    report,
    telling: { json, confined, taken, barrier },
    meetingCost: costOfTurns(turns),
  };
}

const thresholdOf = ({ compressThreshold }: Environment): WaveOptions =>
  compressThreshold === undefined ? {} : { thresholdBytes: compressThreshold };
