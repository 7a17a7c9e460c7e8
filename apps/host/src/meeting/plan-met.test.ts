import { openStore } from '@atelier/store-sqlite';
import { CORE_PERSONAS, openMeeting, rosterOf } from '@atelier/team-behaviors';
import { expect, test } from 'vitest';
import { meetingPlan, planMet } from './plan-met.ts';

const roster = rosterOf(CORE_PERSONAS);
const planOf = (goal: string, id = 'a') =>
  meetingPlan({ goal, tasks: [{ id, title: 't', parallel_group: 1 }] }, roster);

/** A team whose meeting was begun with this, before hashes were kept. */
function begun(says: string, sender = 'lead') {
  const { team } = openStore({ path: ':memory:' });
  const teamId = 'r';
  team.teams.create({ teamId, runId: 'r', project: 'p', leadRole: 'lead' });
  for (const roleId of ['lead', 'be'])
    team.teams.addMember({
      ...{ teamId, roleId, memberName: roleId, wave: 0 },
      persona: { version: '1', text: 'x' },
    });
  openMeeting({
    ...{ wire: team.wire, teamId, chair: 'lead', members: ['be'], now: Date.now },
  }).post({ baseKey: 'opening', sender, body: { says } });
  return planMet(team, { teamId, leadRole: 'lead' });
}

test('a meeting without a hash is known by its topic', () => {
  const plan = planOf('Serve tea — with milk');
  const met = begun(plan.topic);
  expect([met?.goal, met?.isThat(plan)]).toEqual(['Serve tea — with milk', true]);
  expect([met?.isThat(planOf('Serve tea')), met?.isThat(planOf(plan.goal, 'b'))]).toEqual([
    ...[false, false],
  ]);
});

test('nobody but the lead says what a meeting is over', () => {
  expect(begun('Goal: coffee — Wave 1', 'be')).toBeUndefined();
});
