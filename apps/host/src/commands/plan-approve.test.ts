import { afterAll, beforeEach, expect, it } from 'vitest';
import { ME, teamScene } from '../../test/team-scene.ts';
import { hashOf, loadPlan } from '../compose/load-plan.ts';
import { approvedHash, approvePlan } from '../team/approve-plan.ts';
import { isApproved } from '../team/may-run.ts';

const at = teamScene();
afterAll(() => at.remove());
beforeEach(() => at.clear());

const plan = (goal: string, more: object = {}, keys: object = {}) =>
  at.file(
    'plan.json',
    JSON.stringify({
      goal,
      ...keys,
      tasks: [{ id: 'a', parallel_group: 1, title: 't', description: 'd', writes: ['a'], ...more }],
    }),
  );

const approve = (file: string) => at.atelier(['plan', '--approve', file]);

const standing = () =>
  at.within(({ store: { team }, repository: { id } }) => ({
    phase: team.phases.start(id),
    hash: approvedHash(team.phases, id),
    steps: team.phases.history(id),
  }));

/** Puts the project somewhere without a command. */
const forceTo = (...phases: readonly string[]) =>
  at.within(({ store: { team }, repository: { id: project } }) => {
    team.phases.start(project);
    for (const to of phases) team.phases.force({ project, to, agent: 'ann', reason: 'test' });
  });

it('decision 39: an approved plan takes the project to plan:approved by legal steps, with its hash', async () => {
  const file = plan('one');
  const { code, stdout } = await approve(file);
  const hash = hashOf(await loadPlan(file, { roster: { ids: new Set() } }));
  expect([code, stdout]).toEqual([
    0,
    `The plan is approved: ${hash}.\ndesign:open → design:approved → plan:open → plan:approved\n`,
  ]);
  const first = await standing();
  expect(first).toMatchObject({ phase: 'plan:approved', hash });
  expect(first.steps.map(({ kind, to, agent, detail }) => [kind, to, agent, detail])).toEqual([
    ['advance', 'design:approved', ME, null],
    ['advance', 'plan:open', ME, null],
    ['advance', 'plan:approved', ME, hash],
  ]);
  expect((await approve(file)).stdout).toBe(`That plan is approved already: ${hash}.\n`);
  expect(await standing()).toEqual(first);
});

it('another plan is not approved in its place: it names the way back, and that way works', async () => {
  await approve(plan('one'));
  const before = await standing();
  const { code, stderr } = await approve(plan('two'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('atelier phase force plan:open')]);
  expect(await standing()).toEqual(before);
  await forceTo('plan:open');
  expect((await approve(plan('two'))).code).toBe(0);
  const after = await standing();
  expect(after.phase).toBe('plan:approved');
  expect(after.hash).not.toBe(before.hash);
});

it.each([['tdd:red'], ['handoff:complete'], ['diagnose:open']])(
  'from %s no way leads to an approved plan',
  async (phase) => {
    await forceTo(phase);
    const { code, stdout, stderr } = await approve(plan('one'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`PHASE_NO_WAY: no way leads from ${phase}.* phase force`, 'u'),
    );
    expect(await standing()).toMatchObject({ phase, hash: undefined });
  },
);

it('from a resolved diagnosis it is one step', async () => {
  await forceTo('diagnose:resolved');
  expect((await approve(plan('one'))).stdout).toContain('\ndiagnose:resolved → plan:approved\n');
});

it('a plan that a run would refuse is refused with its defects, and no step is taken', async () => {
  const { code, stderr } = await approve(
    plan('one', { depends_on: ['nobody'], assigned_persona: 'wizard' }),
  );
  expect(code).toBe(2);
  expect(stderr).toMatch(/"wizard", who is not in the roster.*\n.*depends_on\[0\]/u);
  expect((await standing()).steps).toEqual([]);
});

it('neither a bypass of the gate nor a forced phase is the approval of a plan', async () => {
  await approve(plan('one'));
  const { hash } = await standing();
  await at.within(({ store: { team }, repository: { id: project } }) =>
    team.phases.bypass({ project, skill: 'dev:dispatch', agent: 'ann', reason: 'r' }),
  );
  expect((await standing()).hash).toBe(hash);
  await forceTo('plan:open', 'plan:approved');
  expect((await standing()).hash).toBeUndefined();
});

it('where a bare step has approved no plan by name, one can be approved, and then no other', async () => {
  await at.within(({ store: { team }, repository: { id: project } }) => {
    let from = team.phases.start(project);
    for (const to of ['design:approved', 'plan:open', 'plan:approved']) {
      team.phases.advance({ project, from, to, agent: 'ann' });
      from = to;
    }
  });
  const { code, stdout } = await approve(plan('one'));
  const { phase, hash, steps } = await standing();
  expect([code, stdout]).toEqual([
    0,
    `The plan is approved: ${hash}.\nThe phase was plan:approved, for no plan by name.\n`,
  ]);
  expect([phase, hash]).toEqual(['plan:approved', expect.stringMatching(/^[0-9a-f]{64}$/u)]);
  expect(steps.at(-1)).toMatchObject({ agent: ME, from: 'plan:approved', to: 'plan:approved' });
  expect((await approve(plan('two'))).stderr).toContain('another plan is approved');
  expect((await standing()).hash).toBe(hash);
});

const loaded = (keys: object) => loadPlan(plan('one', {}, keys), { roster: { ids: new Set() } });

/** Whether a run of one plan would go by the approval of another. */
const covers = async (approved: object, other: object) => {
  const [hash, planHash] = [hashOf(await loaded(approved)), hashOf(await loaded(other))];
  return at.within((project) => {
    const { phases } = project.store.team;
    const { id } = project.repository;
    approvePlan(phases, { project: id, hash, agent: 'ann' });
    return isApproved(project, { about: { planHash } });
  });
};

it.each([
  ['a budget that was raised', { budget: { tokens: 1000 } }, { budget: { tokens: 2000 } }],
  ['a budget that was dropped', { budget: { usd: 1 } }, {}],
  ['another kind of budget', { budget: { usd: 5 } }, { budget: { tokens: 5 } }],
  ['another schedule', { schedule: 'parallel' }, { schedule: 'pipeline' }],
  ['another gate', { gate: 'make test' }, { gate: 'true' }],
  ['another set-up', { worktree: { setup: ['make'] } }, { worktree: { setup: ['true'] } }],
])('an approval does not cover %s', async (_, approved, other) => {
  expect(await covers(approved, other)).toBe(false);
  at.clear();
  // What says nothing of the run is of the file alone.
  expect(await covers(approved, { ...approved, 'x-note': 'seen by ann' })).toBe(true);
});

it('the hashes of plans without a budget are what they were before one was part of them', async () => {
  const bare = await loaded({});
  expect(hashOf(bare)).toBe('2a2dd206a34d5aeab821824808bcbd0f72a4693cd441add02e061e99c7d7845c');
  expect(hashOf({ ...bare, budget: {} })).toBe(
    '2a2dd206a34d5aeab821824808bcbd0f72a4693cd441add02e061e99c7d7845c',
  );
  const [usdFirst, tokensFirst] = [
    { usd: 1, tokens: 2 },
    { tokens: 2, usd: 1 },
  ].map((budget) => hashOf({ ...bare, budget }));
  expect(usdFirst).toBe(tokensFirst);
});
