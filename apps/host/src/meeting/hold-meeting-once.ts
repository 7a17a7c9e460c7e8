import type { Parking } from '@atelier/engine';
import type { Plan } from '@atelier/engine/plan';
import {
  holdMeeting,
  MEETING_CAPS,
  openMeeting,
  type RecordedMeeting,
  type Roster,
  type Tally,
} from '@atelier/team-behaviors';
import type { Environment } from '../environment.ts';
import type { Interrupts } from '../planner/interrupts.ts';
import { openReading, type Readers, type Surroundings } from '../planner/reading.ts';
import type { SpendLimit } from '../spend-limit.ts';
import type { Streams } from '../streams.ts';
import type { RegisteredTeam } from '../team/register-team.ts';
import { aboutPlan, type MeetingPlan } from './plan-met.ts';
import { type SpeakingOptions, speaking } from './speaking.ts';
import { storedMeeting } from './stored-meeting.ts';
import { turnTaking } from './take-turns.ts';
import { topicOf, topicText } from './topic.ts';
import { turnRuns, turnTask } from './turn-run.ts';

/** A meeting over a plan, before anything of it is dispatched. */
export interface MeetingWanted extends Readers, Pick<SpeakingOptions, 'onSaid'> {
  readonly plan: Pick<Plan, 'goal' | 'tasks'>;
  readonly about: MeetingPlan;
  readonly team: RegisteredTeam;
  readonly roster: Roster;
  /** What the run of the team may spend in all: its meeting is a part of it. */
  readonly limit: SpendLimit;
  readonly interrupts: Interrupts;
  /** How often everybody is asked, at most; 3 when absent. */
  readonly rounds?: number | undefined;
}

/**
 * What came of a meeting. `partial`: a backstop ended it. `parked`: the agent can not be asked for now, or what may be spent
 * is spent. `stopped`: it was interrupted. The last two go on where they were when it is held again. `runs` are the turns
 * that this host has asked for.
 */
export type MeetingEnd = { readonly runs: readonly string[] } & (
  | {
      readonly kind: 'held' | 'partial';
      readonly recorded: RecordedMeeting;
      readonly tally: Tally;
    }
  | { readonly kind: 'was-held'; readonly recorded: RecordedMeeting }
  | ({ readonly kind: 'parked' } & Parking)
  | { readonly kind: 'stopped' }
);

/**
 * Holds the meeting of a team that has had none, or goes on with it: each turn is one attempt that only reads, recorded as
 * a run of its own. Once per team; the record is the wire. For whoever holds the project and knows that the meeting is
 * over no other plan. Throws the coded error of whatever refuses before anything is charged.
 */
export async function holdMeetingOnce(
  wanted: MeetingWanted,
  streams: Streams,
  environment: Environment,
): Promise<MeetingEnd> {
  const recorded = storedMeeting(wanted.project.store.team, wanted.team);
  if (recorded) return { kind: 'was-held', recorded, runs: [] };
  const closing: (() => unknown)[] = [];
  try {
    return await holdWith(wanted, { streams, environment, closing });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function holdWith(wanted: MeetingWanted, surroundings: Surroundings): Promise<MeetingEnd> {
  const { project, agent, model, mode, team, roster, rounds, limit, interrupts } = wanted;
  const { store } = project;
  const { teamId } = team;
  const turns = turnRuns(store, teamId);
  const before = (await turns.events()).flat();
  const reading = await openReading(
    {
      ...{ project, agent, model, mode, firstRun: turns.next(), who: 'the speaker' },
      ...{ interrupts, limit, before },
      likely: team.roles.map((speaker) => turnTask({ speaker, round: 1 })),
    },
    surroundings,
  ).catch((error: unknown) => {
    if (error !== interrupts.signal.reason) throw error;
  });
  if (!reading) return { kind: 'stopped', runs: [] };
  const caps = MEETING_CAPS;
  const meeting = openMeeting({
    ...{ wire: store.team.wire, teamId, chair: team.leadRole, members: team.roles },
    ...{ now: Date.now, caps },
  });
  const lines = topicOf(wanted.plan, roster);
  const tell = (line: string) => void surroundings.streams.stderr.write(`${line}\n`);
  const { speak, signal, ...asked } = speaking({
    ...{ reading, turns, teamId, roster, topic: lines, onTurn: tell },
    ...{ stop: interrupts.signal, onSaid: wanted.onSaid },
  });
  const outcome = await holdMeeting({
    ...{ meeting, signal, ...(rounds === undefined ? {} : { rounds }) },
    ...{ topic: topicText(lines), about: aboutPlan(wanted.about) },
    ask: turnTaking({ meeting, caps, now: Date.now, speak, isStopped: () => signal.aborted }),
  });
  asked.assertRecorded();
  await reading.giveUp();
  const { runs } = asked;
  if (outcome.kind === 'stopped') {
    const parking = asked.parking();
    return parking ? { kind: 'parked', ...parking, runs } : { kind: 'stopped', runs };
  }
  const { minutes, tally } = outcome;
  const recorded = storedMeeting(store.team, team);
  if (!recorded) throw new Error('the minutes are not in the store any more');
  return { kind: minutes.partial ? 'partial' : 'held', recorded, tally, runs };
}
