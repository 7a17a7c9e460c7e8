import { openStore, PHASE_CATALOGUE, type Store } from '@atelier/store-sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { approvePlan } from './approve-plan.ts';
import { phaseAfter, phaseKept, phaseOfWork } from './phase-after.ts';

const store: Store = openStore({ path: ':memory:' });
afterAll(() => store.close());
const { phases } = store.team;

const PHASES = PHASE_CATALOGUE.phases.map(({ name }) => name);

let projects = 0;

/** A project that has just begun. */
function begun(): string {
  projects += 1;
  const project = `project ${projects}`;
  phases.start(project);
  return project;
}

/** Where a run leads that begins in a phase and comes to this. */
function after(from: string, verdict: 'complete' | 'abandoned' | 'parked' | 'interrupted') {
  const project = begun();
  phases.force({ project, to: from, agent: 'ann', reason: 'test' });
  const moving = { phases, project, runId: 'r-1' };
  phaseOfWork(moving);
  const { phase, why } = phaseAfter(moving, { verdict });
  expect(phase).toBe(phases.current(project));
  const steps = phases.history(project).slice(1);
  return { phase, why, steps: steps.map(({ to }) => to) };
}

describe('hard rule: a run never takes a project to review:open, nor past it', () => {
  it.each(PHASES)('from %s', (from) => {
    for (const verdict of ['complete', 'abandoned'] as const)
      expect(after(from, verdict).steps.filter((to) => !to.startsWith('tdd:'))).toEqual([]);
  });

  it('as far as it is earned: to the end of the work when all is done, and no step otherwise', () => {
    expect(after('plan:approved', 'complete')).toEqual({
      ...{ phase: 'tdd:clean', why: 'every task is done' },
      steps: ['tdd:red', 'tdd:green', 'tdd:clean'],
    });
    for (const verdict of ['abandoned', 'parked', 'interrupted'] as const)
      expect(after('plan:approved', verdict)).toEqual({
        ...{ phase: 'tdd:red', why: `the run ended ${verdict}`, steps: ['tdd:red'] },
      });
  });
});

it('the way to an approved plan and on to the end of the work is one that the catalogue knows', () => {
  const project = begun();
  approvePlan(phases, { project, hash: 'h', agent: 'ann' });
  phaseOfWork({ phases, project, runId: 'r-1' });
  phaseAfter({ phases, project, runId: 'r-1' }, { verdict: 'complete' });
  const steps = phases.history(project);
  const way = [PHASE_CATALOGUE.initial, ...steps.map(({ to }) => to)];
  expect(way).toEqual(PHASES.slice(0, PHASES.indexOf('tdd:clean') + 1));
  expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['advance']));
});

it('a phase that a run leaves alone is told with the reason; none where nobody has begun with phases', () => {
  const project = begun();
  const kept = (isTeam: boolean) => phaseKept({ phases, project }, { isTeam });
  expect(kept(false)).toBeUndefined();
  phases.advance({ project, from: 'design:open', to: 'design:approved', agent: 'ann' });
  expect(kept(false)).toEqual({
    ...{ phase: 'design:approved', why: 'the project is not led as a team' },
  });
  expect(kept(true)?.why).toBe('the run was of another plan');
  expect(phases.history(project)).toHaveLength(1);
});
