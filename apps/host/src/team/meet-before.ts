import { printable } from '@atelier/envelope';
import type { Roster } from '@atelier/team-behaviors';
import type { ExitCode } from '../command.ts';
import type { Drive } from '../compose/drive-run.ts';
import type { StopSwitch } from '../compose/stop-switch.ts';
import type { Environment } from '../environment.ts';
import { HostError } from '../host-error.ts';
import { holdMeetingOnce } from '../meeting/hold-meeting-once.ts';
import type { Streams } from '../streams.ts';
import type { Chat } from './chat.ts';
import type { RegisteredTeam } from './register-team.ts';

/** The meeting before a run could not be held to its end, so the run did not begin: like one that is parked or interrupted. */
export class MeetingWaits extends HostError {
  override readonly name: string = 'MeetingWaits';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, code: string, message: string, hint: string) {
    super(code, message, hint);
    this.exitCode = exitCode;
  }
}

interface Surroundings {
  readonly team: RegisteredTeam;
  readonly roster: Roster;
  readonly chat: Pick<Chat, 'say'>;
  readonly stopping: Pick<StopSwitch, 'signal'>;
  readonly streams: Streams;
  readonly environment: Environment;
}

/**
 * Holds the meeting of a run's team, if it has had none. What it comes to decides nothing about the run. Throws
 * `MEETING_PARKED` or `MEETING_STOPPED` where it could not be held to its end: it goes on when the run is started again.
 */
export async function meetBefore(
  { project, agent, model, mode, goal, tasks }: Drive,
  { team, roster, chat, stopping, streams, environment }: Surroundings,
): Promise<void> {
  const end = await holdMeetingOnce(
    {
      ...{ project, agent, model, mode, plan: { goal, tasks }, team, roster, isHeld: true },
      signal: stopping.signal,
      onSaid: chat.say,
    },
    streams,
    environment,
  );
  if (end.kind === 'parked')
    throw new MeetingWaits(
      4,
      'MEETING_PARKED',
      `the meeting before the run waits: ${printable(end.detail, 300)}`,
      'Start the run again later: the meeting goes on where it was.',
    );
  if (end.kind === 'stopped')
    throw new MeetingWaits(
      5,
      'MEETING_STOPPED',
      'the meeting before the run was stopped',
      'Start the run again: the meeting goes on where it was. Without --meet there is none.',
    );
  streams.stderr.write(`meeting: ${printable(end.recorded.minutes.summary, 500)}\n`);
}
