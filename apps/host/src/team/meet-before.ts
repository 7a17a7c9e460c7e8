import { printable } from '@atelier/envelope';
import type { Roster } from '@atelier/team-behaviors';
import type { Drive } from '../compose/drive-run.ts';
import type { Environment } from '../environment.ts';
import { HostError } from '../host-error.ts';
import { holdMeetingOnce, type MeetingEnd } from '../meeting/hold-meeting-once.ts';
import { assertSamePlan, otherPlanText, planMet } from '../meeting/plan-met.ts';
import { storedMeeting } from '../meeting/stored-meeting.ts';
import type { Interrupts } from '../planner/interrupts.ts';
import type { Streams } from '../streams.ts';
import type { Chat } from './chat.ts';
import type { RegisteredTeam } from './register-team.ts';

/** The meeting before a run could not be held to its end, so the run did not begin: like one that is parked or interrupted. */
export class MeetingWaits extends HostError {
  override readonly name: string = 'MeetingWaits';
  readonly verdict: 'parked' | 'interrupted';

  constructor(
    verdict: MeetingWaits['verdict'],
    { code, message, hint }: Pick<HostError, 'code' | 'message' | 'hint'>,
  ) {
    super(code, message, hint);
    this.verdict = verdict;
  }
}

interface Surroundings {
  readonly team: RegisteredTeam;
  readonly roster: Roster;
  readonly chat: Pick<Chat, 'say'>;
  readonly interrupts: Interrupts;
  readonly streams: Streams;
  readonly environment: Environment;
}

/**
 * Throws `MEETING_OF_ANOTHER_PLAN` where the team of a run is to meet and has begun to over another plan. One that has met is
 * through with it, and may run whatever became of the plan.
 */
export function assertMayMeet({ project, runId, meeting }: Drive): void {
  const { team: teams } = project.store;
  const team = teams.teams.ofRun(runId);
  if (meeting?.isWanted && team && !storedMeeting(teams, team))
    assertSamePlan(teams, team, meeting.about);
}

/**
 * Holds the meeting of a run's team, if one is wanted and it has had none; of a meeting over another plan it says so. What
 * it comes to decides nothing about the run. Throws `MEETING_PARKED` or `MEETING_STOPPED` where it could not be held to its
 * end: it goes on when the run is started again.
 */
export async function meetBefore(
  { project, agent, model, mode, goal, tasks, budget, meeting }: Drive,
  { team, roster, chat, interrupts, streams, environment }: Surroundings,
): Promise<void> {
  if (!meeting) return;
  const { about, isWanted } = meeting;
  const { team: teams } = project.store;
  const tell = (text: string) => void streams.stderr.write(`meeting: ${text}\n`);
  const met = planMet(teams, team);
  if (met && !met.isThat(about) && storedMeeting(teams, team))
    return tell(`it was over ${otherPlanText(met, about)}; the run goes on with this one`);
  if (!isWanted) return;
  const end = await holdMeetingOnce(
    {
      ...{ project, agent, model, mode, plan: { goal, tasks }, about, team, roster, interrupts },
      ...{ limit: budget, onSaid: chat.say },
    },
    streams,
    environment,
  );
  if (end.kind === 'parked') throw parked(end);
  if (end.kind === 'stopped')
    throw new MeetingWaits('interrupted', {
      code: 'MEETING_STOPPED',
      message: 'the meeting before the run was stopped',
      hint: 'Start the run again: the meeting goes on where it was. Without --meet there is none.',
    });
  tell(printable(end.recorded.minutes.summary, 500));
}

function parked({ cause, detail, resumeAt }: MeetingEnd & { kind: 'parked' }): MeetingWaits {
  const until = resumeAt === undefined ? '' : ` until ${new Date(resumeAt).toISOString()}`;
  const how = cause === 'budget' ? 'with a larger --budget' : 'later';
  return new MeetingWaits('parked', {
    code: 'MEETING_PARKED',
    message: `the meeting before the run waits${until}: ${printable(detail, 300)}`,
    hint: `Start the run again ${how}: the meeting goes on where it was. atelier cost --all shows what its turns have used.`,
  });
}
