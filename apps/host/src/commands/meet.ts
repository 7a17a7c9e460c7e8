import { resolve } from 'node:path';
import { resolveRunMode } from '@atelier/budget';
import type { Plan } from '@atelier/engine/plan';
import type { Roster } from '@atelier/team-behaviors';
import type { Command } from '../command.ts';
import { holdProject } from '../compose/hold-project.ts';
import { loadPlan } from '../compose/load-plan.ts';
import type { Project } from '../compose/project.ts';
import { newRunId } from '../compose/run-id.ts';
import { assertRunMode } from '../compose/run-mode.ts';
import { withProject } from '../compose/with-project.ts';
import type { Environment } from '../environment.ts';
import { holdMeetingOnce } from '../meeting/hold-meeting-once.ts';
import { assertSamePlan, type MeetingPlan, meetingPlan } from '../meeting/plan-met.ts';
import { readNotes, recordNotes, speakersOf } from '../meeting/record-notes.ts';
import { storedMeeting } from '../meeting/stored-meeting.ts';
import { type ToldMeeting, tellMeeting } from '../meeting/tell-meeting.ts';
import { ownInterrupts } from '../planner/interrupts.ts';
import { limitOfPlan, limitOver } from '../spend-limit.ts';
import type { Streams } from '../streams.ts';
import { closeTeamsThatMet, hasMet, waitingTeam } from '../team/current-team.ts';
import { type RegisteredTeam, registerTeam } from '../team/register-team.ts';
import { openRoster } from '../team/roster.ts';
import { HELP, type MeetArguments, parseMeetArguments } from './meet-arguments.ts';

/**
 * `atelier meet`: 0 with the minutes of the meeting, whatever came of it; 3 when a backstop ended it, 4 when the agent can
 * not be asked for now or the budget is spent, 5 when it was interrupted.
 */
export const meet: Command = {
  async run(args, streams, environment) {
    const given = parseMeetArguments(args);
    if (given.help) {
      streams.stdout.write(HELP);
      return 0;
    }
    assertRunMode(given.runMode, '--run-mode');
    return withProject(given, environment, async (project) => {
      const roster = await openRoster(environment.configFile, project.store.team);
      const path = (name: string) => resolve(environment.cwd, name);
      const plan = await loadPlan(path(given.file), { roster, dir: path(given.repo ?? '.') });
      const about = meetingPlan(plan, roster);
      const wanted = { project, given, plan, roster, about };
      const known = given.anew ? undefined : knownMeeting(project, about);
      if (known) return tellMeeting(known, given, streams);
      const lock = holdProject(project.repository, 'a meeting');
      try {
        return tellMeeting(await meetIn(wanted, streams, environment), given, streams);
      } finally {
        lock.release();
      }
    });
  },
};

/** What the team that waits for its run has met. Throws `MEETING_OF_ANOTHER_PLAN`. */
function knownMeeting(project: Project, about: MeetingPlan): ToldMeeting | undefined {
  const { team: teams } = project.store;
  const waiting = waitingTeam(project);
  if (!waiting) return undefined;
  assertSamePlan(teams, waiting, about);
  const recorded = storedMeeting(teams, waiting);
  return recorded && { kind: 'was-held', teamId: waiting.teamId, recorded, runs: [] };
}

interface Wanted {
  readonly project: Project;
  readonly given: MeetArguments;
  readonly plan: Plan;
  readonly roster: Roster;
  readonly about: MeetingPlan;
}

async function meetIn(
  wanted: Wanted,
  streams: Streams,
  environment: Environment,
): Promise<ToldMeeting> {
  const { project, given, plan, roster, about } = wanted;
  // Another host may have met until the project was free.
  const gone = given.anew ? closeTeamsThatMet(project) : [];
  const known = knownMeeting(project, about);
  if (known) return known;
  const team = registerTeam(project, {
    ...{ runId: waitingTeam(project)?.runId ?? newRunId(), tasks: plan.tasks, roster },
  });
  try {
    return await meetAs(team, wanted, { streams, environment });
  } catch (error) {
    // Where nothing was said, whoever was let go waits again.
    const { teams } = project.store.team;
    if (gone.length > 0 && !hasMet(project, team)) {
      teams.setStatus(team.teamId, 'closed');
      for (const { teamId } of gone) teams.setStatus(teamId, 'active');
    }
    throw error;
  }
}

async function meetAs(
  team: RegisteredTeam,
  { project, given, plan, roster, about }: Wanted,
  { streams, environment }: { readonly streams: Streams; readonly environment: Environment },
): Promise<ToldMeeting> {
  const { teamId } = team;
  if (given.minutes !== undefined) {
    const file = resolve(environment.cwd, given.minutes);
    const notes = await readNotes(file, speakersOf(team));
    return { teamId, runs: [], ...recordNotes(project, team, { ...notes, about }) };
  }
  const { agent, agentArgs, model, rounds } = given;
  const mode = resolveRunMode({
    ...{ explicit: given.runMode, env: environment.runMode, saved: project.config.runMode },
  });
  const limit = limitOver(limitOfPlan(plan), given.budget);
  const interrupts = ownInterrupts('the speaker', streams);
  try {
    const wanted = { project, plan, about, team, roster, model, mode, rounds, limit, interrupts };
    const end = await holdMeetingOnce(
      { ...wanted, agent: { agent, agentArgs } },
      streams,
      environment,
    );
    return { teamId, ...end };
  } finally {
    interrupts.close();
  }
}
