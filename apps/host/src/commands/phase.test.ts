import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { ME, teamScene } from '../../test/team-scene.ts';
import { takeStep } from '../team/take-step.ts';

const at = teamScene();
afterAll(() => at.remove());
beforeEach(() => at.clear());

const stdoutOf = async (...args: string[]) => (await at.atelier(args)).stdout;

const jsonOf = async (...args: string[]) =>
  (await stdoutOf(...args, '--json'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Where the project is and how it came there, as the store has it. */
const standing = () =>
  at.within(({ store: { team }, repository: { id } }) => ({
    phase: team.phases.start(id),
    steps: team.phases.history(id),
    bypasses: team.phases.bypasses(id),
  }));

const FORCE = ['phase', 'force', 'tdd:red', '--reason', 'a hotfix', '--agent', 'ann'];

it('a project begins at design:open and goes on by steps that are recorded with who took them', async () => {
  expect(await stdoutOf('phase', 'get')).toBe('design:open\n');
  expect(await stdoutOf('phase', 'transitions')).toBe('design:approved\ndiagnose:open\n');
  const one = await at.atelier(['phase', 'advance', 'design:approved']);
  expect(one.stdout).toBe(`The phase is design:approved; it was design:open. Taken by ${ME}.\n`);
  const [two] = await jsonOf('phase', 'advance', 'plan:open', '--agent', 'ann');
  expect(two).toMatchObject({ version: 1, from: 'design:approved', to: 'plan:open', agent: 'ann' });
  expect(await jsonOf('phase', 'get')).toMatchObject([{ version: 1, phase: 'plan:open' }]);
  expect(await jsonOf('phase', 'transitions')).toMatchObject([
    { phase: 'plan:open', next: ['plan:approved', 'diagnose:open'] },
  ]);
  expect(await jsonOf('phase', 'history')).toMatchObject([
    { version: 1, kind: 'advance', to: 'design:approved', agent: ME, reason: null },
    { kind: 'advance', to: 'plan:open', agent: 'ann' },
  ]);
});

it.each([
  [['advance', 'plan:aproved'], /no phase plan:aproved.*design:approved, plan:open/u],
  [['advance', 'review:open'], /What may follow is design:approved, diagnose:open\.\n/u],
  [['force', 'x', '--reason', 'r', '--agent', 'a'], /no phase x.*The phases are design:open/u],
])('phase %j is refused with the phases that are legal', async (args, message) => {
  const { code, stdout, stderr } = await at.atelier(['phase', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect((await standing()).steps).toEqual([]);
});

it('force books reason and name as a bypass', async () => {
  expect(await stdoutOf(...FORCE)).toContain('The phase is tdd:red; it was design:open');
  const { phase, bypasses } = await standing();
  expect(phase).toBe('tdd:red');
  expect(bypasses).toMatchObject([
    { to: 'tdd:red', reason: 'a hotfix', agent: 'ann', skill: null },
  ]);
  expect(await stdoutOf('phase', 'history')).toMatch(
    /^\S+ force {3}design:open to tdd:red by ann \(a hotfix\)\n$/u,
  );
});

it('a step is taken from where the project was seen, or not at all', () =>
  at.within(({ store: { team }, repository: { id: project } }) => {
    const from = team.phases.start(project);
    const step = { project, from, agent: 'ann' };
    takeStep(team.phases, { ...step, to: 'diagnose:open' });
    expect(() => takeStep(team.phases, { ...step, to: 'design:approved' })).toThrow(
      expect.objectContaining({
        ...{ code: 'PHASE_MOVED', message: expect.stringContaining('is at diagnose:open') },
      }),
    );
    expect(team.phases.history(project)).toHaveLength(1);
  }));

it('of two processes that take one step at once one does, and the other is told', async () => {
  await standing();
  const bin = join(import.meta.dirname, '../../bundle/atelier.js');
  const advance = async () => {
    const args = [bin, 'phase', 'advance', 'design:approved'];
    const child = spawn(process.execPath, args, { cwd: at.repo, env: at.env });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    return { code, stderr };
  };
  const ends = (await Promise.all([advance(), advance()])).sort((a, b) => a.code - b.code);
  expect(ends.map(({ code }) => code)).toEqual([0, 2]);
  expect(ends[1]?.stderr).toMatch(/PHASE_MOVED|design:approved does not follow/u);
  expect((await standing()).steps).toHaveLength(1);
});

it('HO-01: gate check answers in documented, sorted keys and exits with 0 also when it denies', async () => {
  const denied = await at.atelier(['gate', 'check', 'dev:dispatch']);
  expect([denied.code, denied.stdout]).toEqual([
    0,
    '{"accepted_phases":["plan:approved","tdd:red","tdd:green"],"allowed":false,"current_phase":"design:open","reason":"dev:dispatch needs plan:approved, and the project is at design:open","required_phase":"plan:approved"}\n',
  ]);
  await at.within(({ store: { team }, repository: { id: project } }) =>
    team.phases.force({ project, to: 'tdd:red', agent: 'ann', reason: 'test' }),
  );
  expect(JSON.parse(await stdoutOf('gate', 'check', 'dev:dispatch'))).toMatchObject({
    ...{ allowed: true, current_phase: 'tdd:red' },
  });
  expect(JSON.parse(await stdoutOf('gate', 'check', 'no:such'))).toMatchObject({
    ...{ allowed: true, required_phase: null, accepted_phases: [] },
  });
});

it('hard rule: a gate that is shut is bypassed by a confirmation that is on record, or not at all: a bypass is a row of its own, written before the command ends', async () => {
  const bypass = (skill: string) =>
    at.atelier(['gate', 'bypass', skill, '--reason', 'only a typo', '--agent', 'ann']);
  const gateless = await bypass('no:such');
  expect([gateless.code, gateless.stderr]).toEqual([
    ...[2, expect.stringContaining('STORE_NO_SUCH_GATE')],
  ]);
  expect((await standing()).bypasses).toEqual([]);
  const { code, stdout } = await bypass('dev:dispatch');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Bypass 1 of dev:dispatch is recorded.*\nIt opens no gate\. .*--bypass-reason TEXT/u,
    ),
  ]);
  await bypass('dev:dispatch');
  expect(await standing()).toMatchObject({
    phase: 'design:open',
    bypasses: [
      { skill: 'dev:dispatch', to: 'plan:approved', reason: 'only a typo', agent: 'ann' },
      { id: 2, skill: 'dev:dispatch' },
    ],
  });
  expect((await bypass('dev:review')).stdout).toMatch(/^Bypass 3 of dev:review [^\n]+\n$/u);
  // As it says: a run needs a reason of its own.
  const task = { id: 'a', parallel_group: 1, title: 't', description: 'd', writes: ['a'] };
  const plan = at.file('plan.json', JSON.stringify({ goal: 'g', tasks: [task] }));
  const env = { ATELIER_DISPATCH_MODE: 'agent-team' };
  expect((await at.atelier(['run', plan], { env })).stderr).toContain('PHASE_GATE');
});
