import { isClosed, type RunEvent, type RunReport } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { finishedRecord, jsonLine, renderIssues } from '@atelier/reporters';
import type { PhaseBypass } from '@atelier/store-sqlite';
import type { Roster } from '@atelier/team-behaviors';
import type { ExitCode } from '../command.ts';
import type { Environment } from '../environment.ts';
import type { Streams } from '../streams.ts';
import { answersFor } from '../team/answers-for.ts';
import { withBypasses } from '../team/bypasses-of-run.ts';
import { openChat, silentChat } from '../team/chat.ts';
import { chatNames } from '../team/chat-names.ts';
import { dispatchModeOf } from '../team/dispatch-mode.ts';
import { heartbeats } from '../team/heartbeats.ts';
import { latched } from '../team/latched.ts';
import { assertApproved, assertNotStopped, isApproved } from '../team/may-run.ts';
import { assertMayMeet, MeetingWaits, meetBefore } from '../team/meet-before.ts';
import { orderOfRun } from '../team/order-of-run.ts';
import { passGate } from '../team/pass-gate.ts';
import { phaseAfter, phaseKept, phaseOfWork } from '../team/phase-after.ts';
import { projectName } from '../team/project-name.ts';
import { type Circumstances, recordOutcome } from '../team/record-outcome.ts';
import { registerTeam } from '../team/register-team.ts';
import { openRoster } from '../team/roster.ts';
import { workerSigns } from '../team/worker-signs.ts';
import { type Drive, type DrivenRun, driveRun } from './drive-run.ts';
import { holdProject } from './hold-project.ts';
import type { Project } from './project.ts';
import { runInterrupts } from './run-interrupts.ts';
import { workersFolder } from './run-on-repository.ts';
import { stopSwitch } from './stop-switch.ts';
import { tell } from './tell-run.ts';

/** A run that a command asks for. */
export interface RunRequest {
  readonly project: Project;
  /** Tells others who holds the project. */
  readonly label: string;
  readonly json: boolean;
  /** Lets the run through a gate that is shut. */
  readonly bypassReason: string | undefined;
  /** Puts the run together, once its gate is passed. */
  readonly load: (roster: Roster) => Promise<Drive>;
}

interface Surroundings {
  readonly streams: Streams;
  readonly environment: Environment;
  /** Takes what must be closed, in the order it was opened. */
  readonly closing: (() => unknown)[];
}

/** Drives a run to its end, telling it as it goes, and resolves to the exit code. One host at a time for a project. */
export async function drive(
  request: RunRequest,
  streams: Streams,
  environment: Environment,
): Promise<ExitCode> {
  const closing: (() => unknown)[] = [];
  try {
    const { report } = await inOrder(request, { streams, environment, closing });
    return EXIT_CODES[report.verdict];
  } catch (error) {
    if (!(error instanceof MeetingWaits)) throw error;
    const { code, message, hint, verdict } = error;
    streams.stderr.write(renderIssues([{ path: code, message, fix: hint }]));
    if (request.json)
      streams.stdout.write(jsonLine(finishedRecord({ verdict, notBegun: message })));
    return EXIT_CODES[verdict];
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function inOrder(
  { project, label, bypassReason, load }: RunRequest,
  { streams, environment, closing }: Surroundings,
): Promise<DrivenRun> {
  const { store, repository } = project;
  const { phases, teams, ledger } = store.team;
  const { mode: led, warning } = await dispatchModeOf(repository, environment.whole);
  const isTeam = led === 'agent-team';
  closing.push(holdProject(repository, label).release);
  const roster = await openRoster(environment.configFile, store.team);
  const warn = (message: string) => void streams.stderr.write(`warning: ${message}\n`);
  if (warning !== undefined) warn(warning);
  const stopping = stopSwitch();
  const named = projectName(project);
  const before = phases.start(named);
  const bypasses: PhaseBypass[] = [];
  const passing = { streams, environment, bypassReason };
  let chat = silentChat;
  let circumstances: (Circumstances & { readonly approved: boolean }) | undefined;
  let begun = false;
  const interrupts = runInterrupts(stopping, streams);
  closing.push(interrupts.close);

  return orderOfRun({
    gate: async () => {
      if (isTeam) bypasses.push(...(await passGate(project, passing)));
    },
    async load() {
      const loaded = await load(roster);
      assertNotStopped(project, loaded);
      assertMayMeet(loaded);
      if (isTeam) bypasses.push(...(await assertApproved(project, loaded, passing)));
      interrupts.loaded(workersFolder(loaded.runDir));
      return withBypasses(loaded, bypasses);
    },
    register: (loaded) => ({ loaded, team: registerTeam(project, { ...loaded, roster }) }),
    async kickoff({ loaded: { runId, tasks, goal }, team: { roles } }) {
      const live = tasks.filter((task) => !isClosed(task));
      const root = repository.topLevel;
      const names = chatNames(store.team);
      chat = await openChat({ runId, root, roles, tasks: live, names, warn }, environment);
      await chat.kickoff(goal, live);
    },
    async meeting({ loaded, team }) {
      const around = { roster, chat, interrupts: interrupts.ofMeeting, streams, environment };
      await meetBefore(loaded, { team, ...around });
    },
    dispatch({ loaded, team: { teamId, roles } }) {
      const { runId, tasks } = loaded;
      const workers = workersFolder(loaded.runDir);
      interrupts.dispatching();
      const dispatching = async (): Promise<DrivenRun> => {
        const beats = heartbeats({
          ...{ teamId, wire: store.team.wire, roles, tasks },
          history: await store.journal.load(runId),
          signsOf: workerSigns(workers),
        });
        closing.push(beats.close);
        return driveRun(loaded, {
          ...{ streams, environment, closing, stopping, roster, chat },
          answersTo: answersFor(project),
          escalate: (sink, runId) => {
            const own = teams.ofRun(runId)?.teamId;
            return own === undefined ? sink : latched(sink, { ledger, teamId: own, warn });
          },
          onEvent(event) {
            begun = true;
            if (isTeam && BEGINNINGS.has(event.type) && isApproved(project, loaded))
              phaseOfWork({ phases, project: named, runId });
            beats.onEvent(event);
          },
        });
      };
      return dispatching().catch((error: unknown) => {
        // Its folder and branch are of this moment: the next run is another one.
        const isKnown = () => store.runs().some(({ run_id }) => run_id === loaded.runId);
        if (!begun && !isKnown()) afterwards(warn, () => teams.setStatus(teamId, 'closed'));
        throw error;
      });
    },
    tell({ report, telling, meetingCost }, { loaded, team: { teamId } }) {
      const { goal, tasks, mode, about } = loaded;
      const approved = isApproved(project, loaded);
      circumstances = { goal, tasks, mode, about, teamId, approved, meetingCost };
      tell(report, telling, streams);
      const known = circumstances;
      afterwards(warn, () => {
        // What the ledger could not take at the time, if any: booked once in any case.
        const book = latched(() => undefined, { ledger, teamId, warn });
        for (const escalation of report.escalations) book(escalation, '');
        recordOutcome(project, report, known);
      });
    },
    teardown: () => chat.teardown(),
    advance({ report }) {
      afterwards(warn, () => {
        if (!circumstances) return;
        const known = { ...circumstances, ...chat.came() };
        const moving = { phases, project: named, runId: report.runId };
        const moved =
          isTeam && known.approved ? phaseAfter(moving, report) : phaseKept(moving, { isTeam });
        if (moved) streams.stderr.write(`phase ${moved.phase}: ${moved.why}\n`);
        const phase = moved && { phase: { before, after: moved.phase, why: moved.why } };
        recordOutcome(project, report, { ...known, ...phase });
        // Last: a host that is killed before leaves a run that resume goes on with.
        if (!RESUMABLE.has(report.verdict)) teams.setStatus(known.teamId, 'closed');
      });
    },
  });
}

/** What is done is done: no record about it that can not be written takes its report away. */
function afterwards(warn: (message: string) => void, write: () => void): void {
  try {
    write();
  } catch (error) {
    warn(`what the run came to is not all on record: ${printable(error, 300)}`);
  }
}

/** Nothing but a run that has begun moves a phase. */
const BEGINNINGS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'run.started',
  'run.resumed',
]);

const RESUMABLE: ReadonlySet<RunReport['verdict']> = new Set(['parked', 'interrupted']);

const EXIT_CODES: Readonly<Record<RunReport['verdict'], ExitCode>> = {
  complete: 0,
  abandoned: 3,
  parked: 4,
  interrupted: 5,
};
