import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { nextTeam } from './current-team.ts';
import { projectName } from './project-name.ts';

// An attempt is a process behind walls.
vi.setConfig({ testTimeout: 60_000 });

const at = teamScene();
const moved = join(at.folder, 'coffee');
beforeEach(() => at.clear());
afterAll(() => at.remove());

const task = { id: 'a', parallel_group: 1, title: 't', description: 'd', writes: ['a'] };

/** What a command says of the clone where it was moved to. */
const there = (...args: readonly string[]) =>
  at.atelier([...args, '--repo', moved], { env: { ATELIER_DISPATCH_MODE: 'agent-team' } });

/** An agent that gives up its task. */
function givesUp(): readonly string[] {
  const script = at.file(
    'agent.mjs',
    `import { renameSync, writeFileSync } from 'node:fs';
    const { ATELIER_TASK_ID: task_id, ATELIER_ATTEMPT: attempt, ATELIER_REPLY_FILE: file } = process.env;
    const reply = { type: 'task_result', task_id, attempt: Number(attempt), status: 'abandoned' };
    writeFileSync(file + '.part', JSON.stringify({ ...reply, artifacts: ['a'], notes_md: 'ABANDON: scope:no' }));
    renameSync(file + '.part', file);`,
  );
  return ['--agent', `command:${process.execPath}`, '--agent-arg', script];
}

describe('a clone that was moved', () => {
  it('is in the phase that it was in, for the same plan, and what was stopped or answered in it stands', async () => {
    const plan = at.file('plan.json', JSON.stringify({ goal: 'g', tasks: [task] }));
    expect((await at.atelier(['plan', '--approve', plan])).code).toBe(0);
    await at.abandon('r-1', [task]);
    expect((await at.atelier(['post-mortem', 'a', '--reason', 'nobody answers'])).code).toBe(0);
    renameSync(at.repo, moved);
    try {
      expect((await there('phase', 'get')).stdout).toBe('plan:approved\n');
      expect((await there('phase', 'history')).stdout.trim().split('\n')).toHaveLength(3);
      expect((await there('plan', '--approve', plan)).stdout).toContain('is approved already');
      const refused = await there('run', plan, '--run-mode', 'balanced');
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('task a was stopped after run r-1'),
      ]);
      expect((await there('retry', 'a', '--answer', 'Tabs.')).code).toBe(0);
      expect((await there('audit', 'list', '--json')).stdout).toContain('Tabs.');
      // Its gate is open, and its plan the approved one.
      const ended = await there('run', plan, ...givesUp(), '--run-mode', 'balanced');
      expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('phase tdd:red')]);
      expect((await there('report')).stdout).toContain('plan:approved → tdd:red');
      const other = at.file('other.json', JSON.stringify({ goal: 'h', tasks: [task] }));
      const how = ['--run-mode', 'balanced', '--bypass-reason', 'a hotfix'];
      expect((await there('run', other, ...givesUp(), ...how)).code).toBe(3);
      expect((await there('report')).stdout).toContain('a hotfix');
    } finally {
      renameSync(moved, at.repo);
    }
    expect((await at.atelier(['phase', 'get'])).stdout).toBe('tdd:red\n');
  });

  it('has the team that waited for its run', () =>
    at.within((home) => {
      const team = nextTeam(home);
      const repository = { ...home.repository, id: 'coffee-1' };
      expect(nextTeam({ ...home, repository })).toEqual(team);
    }));
});

describe('the name of a project in its store', () => {
  const nameAfter = (projects: readonly string[]) =>
    at.within((home) => {
      const { phases } = home.store.team;
      for (const project of projects.map((name) => (name === 'own' ? home.repository.id : name))) {
        phases.start(project);
        phases.force({ project, to: 'qa:open', agent: 'ann', reason: 'test' });
      }
      const name = projectName(home);
      return name === home.repository.id ? 'own' : name;
    });

  it.each([
    ['is the id of the clone where there is none', [], 'own'],
    ['is that id where it was kept, whatever else was', ['own', 'x-1'], 'own'],
    ['is what was kept', ['x-1'], 'x-1'],
  ])('%s', async (_, projects, name) => {
    expect(await nameAfter(projects)).toBe(name);
  });
});
