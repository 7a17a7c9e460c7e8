import type { Plan } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import type { TeamStore } from '@atelier/store-sqlite';
import { decodeMessage, type JsonObject, type Roster } from '@atelier/team-behaviors';
import { hashOf } from '../compose/load-plan.ts';
import { HostError } from '../host-error.ts';
import { topicOf, topicText } from './topic.ts';

/** What names the plan that a meeting is over. */
export interface MeetingPlan {
  readonly hash: string;
  readonly goal: string;
  /** Its topic, by which a meeting is known that was begun before hashes were kept. */
  readonly topic: string;
}

/** What may be spent on a plan is not what a meeting is over: a parked one goes on with more. */
export function meetingPlan({ budget: _, ...plan }: Plan, roster: Roster): MeetingPlan {
  const { goal } = plan;
  return { hash: hashOf(plan), goal, topic: topicText(topicOf(plan, roster)) };
}

/** Code points of a goal, on the wire and in a message. */
const GOAL = 200;

/** What is kept with the opening of a meeting, or with the minutes of people. */
export const aboutPlan = ({ hash, goal }: MeetingPlan): JsonObject => ({
  ...{ plan_hash: hash, plan_goal: printable(goal, GOAL) },
});

/** The plan that a team has met over or is meeting over, as the wire has it. */
export interface PlanMet {
  /** Printable. */
  readonly goal: string;
  isThat(plan: MeetingPlan): boolean;
}

/** Undefined for a team that has not met, and for one of whose meeting nothing tells the plan. */
export function planMet(
  { wire }: Pick<TeamStore, 'wire'>,
  { teamId, leadRole }: { readonly teamId: string; readonly leadRole: string },
): PlanMet | undefined {
  const rows = (['team_meeting', 'meeting_done'] as const)
    .flatMap((mtype) => wire.messages({ teamId, mtype }))
    // Nobody but the lead opens and closes a meeting.
    .filter(({ senderId }) => senderId === leadRole);
  const bodies = rows.flatMap((row): readonly JsonObject[] => {
    const message = decodeMessage(row);
    return message ? [message.body] : [];
  });
  for (const { plan_hash: hash, plan_goal: goal } of bodies)
    if (typeof hash === 'string')
      return { goal: printable(goal, GOAL), isThat: (plan) => plan.hash === hash };
  const topic = bodies.map(({ says }) => says).find(isTopic);
  if (topic === undefined) return undefined;
  return { goal: goalIn(topic), isThat: (plan) => plan.topic === topic };
}

const OPENING = 'Goal: ';

const isTopic = (says: unknown): says is string =>
  typeof says === 'string' && says.startsWith(OPENING);

const goalIn = (topic: string): string => {
  const [goal = ''] = topic.slice(OPENING.length).split(/ — (?=Wave |\()/u, 1);
  return printable(goal, GOAL);
};

/** In words, what a meeting is over that is not over this plan. */
export const otherPlanText = (met: PlanMet, { goal }: MeetingPlan): string =>
  met.goal === printable(goal, GOAL)
    ? `this plan as it was before it was changed; the goal of both is "${met.goal}"`
    : `another plan: the goal of that one is "${met.goal}", and of this one "${printable(goal, GOAL)}"`;

/** Throws `MEETING_OF_ANOTHER_PLAN` where a team has met, or is meeting, over another plan than this one. */
export function assertSamePlan(
  store: Pick<TeamStore, 'wire'>,
  team: { readonly teamId: string; readonly leadRole: string },
  plan: MeetingPlan,
): void {
  const met = planMet(store, team);
  if (!met || met.isThat(plan)) return;
  throw new HostError(
    'MEETING_OF_ANOTHER_PLAN',
    `the meeting of the team that waits for its run is over ${otherPlanText(met, plan)}`,
    'The next run is its run, of the plan as it is then: atelier run PLAN. Or let that team go and meet in a new one: atelier meet PLAN --anew. What was said stays on record.',
  );
}
