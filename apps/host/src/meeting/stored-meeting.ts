import type { Team, TeamStore } from '@atelier/store-sqlite';
import { openMeeting, type RecordedMeeting } from '@atelier/team-behaviors';

/** The meeting that a team has had, as the wire has it; undefined for one that has had none. */
export function storedMeeting(
  { wire }: Pick<TeamStore, 'wire'>,
  { teamId, runId }: Pick<Team, 'teamId' | 'runId'>,
): RecordedMeeting | undefined {
  const [done] = wire.messages({ teamId, mtype: 'meeting_done' });
  if (!done || done.meetingId === null) return undefined;
  const { senderId: chair, meetingId } = done;
  const rows = wire.messages({ teamId, meetingId });
  const members = new Set(rows.flatMap(({ senderId, recipient }) => [senderId, recipient]));
  members.delete(chair);
  const meeting = openMeeting({
    ...{ wire, teamId, meetingId, chair, now: Date.now },
    members: [...members].sort(),
  });
  const minutes = meeting.minutes();
  if (minutes === null) return undefined;
  const title = `Plan-phase meeting before run ${runId}`;
  return { title, chair, members: meeting.members, turns: meeting.transcript(), minutes };
}
