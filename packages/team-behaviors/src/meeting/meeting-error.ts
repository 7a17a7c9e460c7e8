import { printable } from '@atelier/envelope';
import { TeamError } from '../team-error.ts';

export const nobodyMeets = (): TeamError =>
  new TeamError('MEETING_NOBODY', 'a meeting needs a member beside its chair', 'Add members.');

export const meetingWasHeld = (): TeamError =>
  new TeamError('MEETING_HELD', 'the team has had its meeting', 'Read its minutes instead.');

export const meetingIsClosed = (): TeamError =>
  new TeamError('MEETING_CLOSED', 'the meeting is closed', 'Read its minutes instead.');

export const notAParticipant = (sender: string): TeamError =>
  new TeamError(
    'MEETING_NOT_A_PARTICIPANT',
    `${printable(sender, 64)} is not in the meeting`,
    'Name the chair or one of the members as the sender.',
  );

export const invalidPost = (): TeamError =>
  new TeamError(
    'MEETING_INVALID_POST',
    'a post is an object without keys that begin with an underscore, of a type that is for posts',
    'Post team_meeting or persona_gap, answer a turn from 1 on, and close the meeting with close().',
  );

export const minutesLost = (): TeamError =>
  new TeamError(
    'WIRE_LOST',
    'the wire took the minutes and does not show them',
    'Look at the store: what it took has to be there.',
  );
