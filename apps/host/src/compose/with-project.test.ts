import { CORE_PERSONAS, rosterOf } from '@atelier/team-behaviors';
import { afterAll, expect, it } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { readEnvironment } from '../environment.ts';
import { registerTeam } from '../team/register-team.ts';
import { withProject } from './with-project.ts';

const at = teamScene();
afterAll(() => at.remove());

it.each([
  ['20', true],
  ['many', false],
])(
  'ATELIER_BRIDGE_REF_THRESHOLD=%s: a longer message of a team is kept beside its wire: %s',
  async (threshold, beside) => {
    at.clear();
    const env = readEnvironment({ ...at.env, ATELIER_BRIDGE_REF_THRESHOLD: threshold }, at.repo);
    await withProject({ repo: undefined, stateDir: undefined }, env, async (project) => {
      const { wire } = project.store.team;
      const tasks = [{ id: 'api', parallel_group: 1 }];
      const { teamId } = registerTeam(project, {
        ...{ runId: 'r-1', tasks, roster: rosterOf(CORE_PERSONAS) },
      });
      const message = {
        teamId,
        senderId: 'worker',
        recipient: 'team-lead',
        kind: 'reply',
      } as const;
      wire.sendAll([{ ...message, payload: 'x'.repeat(21) }]);
      const [row] = wire.read({ teamId, roleId: 'team-lead' });
      expect((row?.payloadRef ?? null) !== null).toBe(beside);
      return 0;
    });
  },
);
