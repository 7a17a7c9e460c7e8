import { join } from 'node:path';
import { CORE_PERSONAS, rosterOf } from '@atelier/team-behaviors';
import { expect, test } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { openProject } from '../compose/project.ts';
import { readEnvironment } from '../environment.ts';
import { registerTeam } from '../team/register-team.ts';
import { holdMeetingOnce } from './hold-meeting-once.ts';
import { meetingPlan } from './plan-met.ts';

test('an interrupt while everything is made ready stops the meeting like a later one: nobody is asked', async () => {
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
        agent: { agent: 'command:/bin/true', agentArgs: [] },
        mode: { mode: 'balanced', reason: 'flag' },
        interrupts: { signal: AbortSignal.abort(), onFolder: () => undefined },
      },
      { stdout: { write: () => undefined }, stderr: { write: () => undefined } },
      readEnvironment(at.env, at.repo),
    );
    expect([end, project.store.runs()]).toEqual([{ kind: 'stopped', runs: [] }, []]);
  } finally {
    project.store.close();
    at.remove();
  }
});
