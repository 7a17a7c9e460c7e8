import { createHash } from 'node:crypto';
import { openMeeting, type RecordedMeeting, recordMeeting } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { PlanRefused } from '../plan-refused.ts';
import { readPlanFile } from '../read-plan-file.ts';
import type { RegisteredTeam } from '../team/register-team.ts';
import { type Notes, notesOf, type Speakers } from './notes.ts';
import { aboutPlan, type MeetingPlan } from './plan-met.ts';
import { storedMeeting } from './stored-meeting.ts';

/**
 * Of its own: what agents began to say, and its clock, are no part of what people wrote down; nor is what a host that was
 * killed has put on the wire of notes that were changed since.
 */
const meetingIdOf = (notes: Notes): string =>
  `recorded-${createHash('sha256').update(JSON.stringify(notes)).digest('hex').slice(0, 12)}`;

/**
 * A person speaks as the lead, the one role that people talk through. As a role of their own they would count among the
 * workers of the team, who can not consent to anything.
 */
const HUMAN = 'human';

export interface RecordedNotes {
  readonly kind: 'held' | 'partial' | 'was-held';
  readonly recorded: RecordedMeeting;
}

/** Who may have spoken at a team's meeting. */
export const speakersOf = ({
  leadRole,
  roles,
}: Pick<RegisteredTeam, 'leadRole' | 'roles'>): Speakers =>
  new Map([[HUMAN, leadRole], ...[leadRole, ...roles].map((role) => [role, role] as const)]);

/** Reads notes from a file in YAML or JSON. Throws {@link PlanRefused} with every defect of it. */
export async function readNotes(file: string, speakers: Speakers): Promise<Notes> {
  const document = await readPlanFile(file);
  if (!document.ok) throw new PlanRefused(document.issues);
  const read = notesOf(document.value, speakers);
  if (read.ok) return read.notes;
  throw new PlanRefused(
    read.defects.map((defect) => ({ ...defect, path: defect.path === '' ? file : defect.path })),
  );
}

/**
 * Puts a meeting of people on the wire, unless the team has had one. The same notes again change nothing. For whoever holds
 * the project.
 */
export function recordNotes(
  { store }: Pick<Project, 'store'>,
  team: RegisteredTeam,
  { entries, closing, about }: Notes & { readonly about: MeetingPlan },
): RecordedNotes {
  const { teamId, leadRole: chair, roles: members } = team;
  const earlier = storedMeeting(store.team, team);
  if (earlier) return { kind: 'was-held', recorded: earlier };
  const { wire } = store.team;
  const meeting = openMeeting({
    ...{
      wire,
      teamId,
      chair,
      members,
      meetingId: meetingIdOf({ entries, closing }),
      now: Date.now,
    },
  });
  const { minutes } = recordMeeting(meeting, entries, { ...closing, about: aboutPlan(about) });
  const recorded = storedMeeting(store.team, team);
  if (!recorded) throw new Error('the minutes are not in the store any more');
  return { kind: minutes.partial ? 'partial' : 'held', recorded };
}
