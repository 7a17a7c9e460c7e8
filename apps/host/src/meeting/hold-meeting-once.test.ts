import { join } from 'node:path';
import { CORE_PERSONAS, rosterOf } from '@atelier/team-behaviors';
import { expect, test } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { openProject } from '../compose/project.ts';
import { readEnvironment } from '../environment.ts';
import { registerTeam } from '../team/register-team.ts';
import { holdMeetingOnce } from './hold-meeting-once.ts';
import { meetingPlan } from './plan-met.ts';

/** Makes a meeting ready that was interrupted before it began. */
async function interrupted(agent: string): Promise<unknown> {
  const at = teamScene();
  const project = await openProject({
    ...{ dir: at.repo, stateHome: at.stateHome, configFile: join(at.folder, 'none') },
  });
  try {
    const roster = rosterOf(CORE_PERSONAS);
    const plan = { goal: 'g', tasks: [{ id: 'a', title: 't', parallel_group: 1 }] };
    const end = await holdMeetingOnce(
      {
        ...{ project, plan, roster, about: meetingPlan(plan, roster), limit: {}, model: undefined },
        team: registerTeam(project, { runId: 'r', tasks: plan.tasks, roster }),
        agent: { agent, agentArgs: [] },
        mode: { mode: 'balanced', reason: 'flag' },
        interrupts: { signal: AbortSignal.abort(), onFolder: () => undefined },
      },
      { stdout: { write: () => undefined }, stderr: { write: () => undefined } },
      readEnvironment(at.env, at.repo),
    ).catch((error: unknown) => error);
    expect(project.store.runs()).toEqual([]);
    return end;
  } finally {
    project.store.close();
    at.remove();
  }
}

test('an interrupt while everything is made ready stops the meeting like a later one: nobody is asked', async () => {
  expect(await interrupted('command:/bin/true')).toEqual({ kind: 'stopped', runs: [] });
});

test('after an interrupt, too, what keeps a meeting from being made ready is told', async () => {
  expect(await interrupted('gpt')).toMatchObject({
    message: expect.stringContaining('there is no agent "gpt"'),
  });
});
