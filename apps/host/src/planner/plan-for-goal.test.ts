import { join } from 'node:path';
import { expect, test } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { openProject } from '../compose/project.ts';
import { readEnvironment } from '../environment.ts';
import { planForGoal } from './plan-for-goal.ts';

test.each([
  ['stops the planning', 'command:/bin/true', { end: { kind: 'interrupted', attempts: 0 } }],
  [
    'hides nothing that keeps it from being made ready',
    'gpt',
    { message: expect.stringContaining('there is no agent "gpt"') },
  ],
])('an interrupt while everything is made ready %s', async (_, agent, came) => {
  const at = teamScene();
  const project = await openProject({
    ...{ dir: at.repo, stateHome: at.stateHome, configFile: join(at.folder, 'none') },
  });
  try {
    const planning = planForGoal(
      {
        ...{ project, goal: 'g', model: undefined, agent: { agent, agentArgs: [] } },
        mode: { mode: 'balanced', reason: 'asked for' },
      },
      { stdout: { write: () => undefined }, stderr: { write: () => undefined } },
      readEnvironment(at.env, at.repo),
    ).catch((error: unknown) => error);
    process.emit('SIGHUP');
    expect(await planning).toMatchObject(came);
    expect(project.store.runs()).toEqual([]);
  } finally {
    project.store.close();
    at.remove();
  }
});
