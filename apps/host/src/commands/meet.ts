import { resolve } from 'node:path';
import { resolveRunMode } from '@atelier/budget';
import type { Command } from '../command.ts';
import { loadPlan } from '../compose/load-plan.ts';
import type { Project } from '../compose/project.ts';
import { newRunId } from '../compose/run-id.ts';
import { assertRunMode } from '../compose/run-mode.ts';
import { withProject } from '../compose/with-project.ts';
import type { Environment } from '../environment.ts';
import { holdMeetingOnce } from '../meeting/hold-meeting-once.ts';
import { readNotes, recordNotes, speakersOf } from '../meeting/record-notes.ts';
import { storedMeeting } from '../meeting/stored-meeting.ts';
import { type ToldMeeting, tellMeeting } from '../meeting/tell-meeting.ts';
import type { Streams } from '../streams.ts';
import { waitingTeam } from '../team/current-team.ts';
import { registerTeam } from '../team/register-team.ts';
import { openRoster } from '../team/roster.ts';
import { HELP, type MeetArguments, parseMeetArguments } from './meet-arguments.ts';

/**
 * `atelier meet`: 0 with the minutes of the meeting, whatever came of it; 3 when a backstop ended it, 4 when the agent can
 * not be asked for now, 5 when it was interrupted.
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
      const end = await meetIn(project, given, { streams, environment });
      return tellMeeting(end, given, streams);
    });
  },
};

async function meetIn(
  project: Project,
  given: MeetArguments,
  { streams, environment }: { readonly streams: Streams; readonly environment: Environment },
): Promise<ToldMeeting> {
  const { store } = project;
  const path = (name: string) => resolve(environment.cwd, name);
  const roster = await openRoster(environment.configFile, store.team);
  const plan = await loadPlan(path(given.file), { roster, dir: path(given.repo ?? '.') });
  const waiting = waitingTeam(project);
  const recorded = waiting && storedMeeting(store.team, waiting);
  if (recorded) return { kind: 'was-held', teamId: waiting.teamId, recorded, runs: [] };
  const team = registerTeam(project, {
    ...{ runId: waiting?.runId ?? newRunId(), tasks: plan.tasks, roster },
  });
  const { teamId } = team;
  if (given.minutes !== undefined) {
    const notes = await readNotes(path(given.minutes), speakersOf(team));
    return { teamId, runs: [], ...recordNotes(project, team, notes) };
  }
  const { agent, agentArgs, model, rounds } = given;
  const mode = resolveRunMode({
    ...{ explicit: given.runMode, env: environment.runMode, saved: project.config.runMode },
  });
  const wanted = { project, plan, team, roster, model, mode, rounds, agent: { agent, agentArgs } };
  return { teamId, ...(await holdMeetingOnce(wanted, streams, environment)) };
}
