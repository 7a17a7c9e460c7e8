import { describe, expect, onTestFinished, test } from 'vitest';
import { storeAt } from '../../test/store-file.ts';
import { NEW_TEAM } from '../../test/team-file.ts';
import { openStore, PHASE_CATALOGUE } from '../index.ts';

const coded = (code: string) => expect.objectContaining({ name: 'StoreError', code });

const PROJECT = 'shop';

function phasesAt(...steps: readonly string[]) {
  const { phases } = storeAt(':memory:').team;
  let from = phases.start(PROJECT);
  for (const to of steps) {
    phases.advance({ project: PROJECT, from, to, agent: 'kim' });
    from = to;
  }
  return phases;
}

const TO_PLAN = ['design:approved', 'plan:open', 'plan:approved'];
const TO_CLEAN = [...TO_PLAN, 'tdd:red', 'tdd:green', 'tdd:clean'];
const TO_REVIEWED = [...TO_CLEAN, 'review:open', 'review:approved'];
const TO_QA = [...TO_REVIEWED, 'security:open', 'security:approved', 'qa:open', 'qa:approved'];

describe('the catalogue', () => {
  test('is in the store as it is in the code', () => {
    const phases = phasesAt();
    expect(phases.catalogue()).toEqual(PHASE_CATALOGUE.phases);
    const counts = [PHASE_CATALOGUE.phases, PHASE_CATALOGUE.transitions, PHASE_CATALOGUE.gates];
    expect(counts.map(({ length }) => length)).toEqual([20, 39, 11]);
  });

  test('names only phases that it has, and every phase can be reached', () => {
    const names = PHASE_CATALOGUE.phases.map(({ name }) => name);
    const used = [
      ...PHASE_CATALOGUE.transitions.flat(),
      ...PHASE_CATALOGUE.gates.flatMap(({ required, accepts }) => [required ?? '', ...accepts]),
    ].filter((name) => name !== '');
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
    const reached = new Set([
      PHASE_CATALOGUE.initial,
      ...PHASE_CATALOGUE.transitions.map(([, to]) => to),
      ...PHASE_CATALOGUE.phases.filter(({ fromAnywhere }) => fromAnywhere).map(({ name }) => name),
    ]);
    expect(names.filter((name) => !reached.has(name))).toEqual([]);
  });

  test('a gate accepts what it asks for', () => {
    for (const { required, accepts } of PHASE_CATALOGUE.gates)
      if (required === null) expect(accepts).toEqual([]);
      else expect(accepts).toContain(required);
  });
});

describe('a project', () => {
  test('begins at the first phase, once', () => {
    const phases = phasesAt('design:approved');
    expect(phases.start(PROJECT)).toBe('design:approved');
    expect(phases.start('bank')).toBe('design:open');
    expect(() => phases.start('')).toThrow(coded('STORE_BAD_NAME'));
  });

  test('is listed from when it begins, the one that moved last before all others', () => {
    let moment = 0;
    const store = openStore({ path: ':memory:', now: () => new Date(moment++) });
    onTestFinished(() => store.close());
    const { phases } = store.team;
    expect(phases.projects()).toEqual([]);
    for (const project of ['bank', 'shop', 'zoo']) phases.start(project);
    expect(phases.projects()).toEqual(['zoo', 'shop', 'bank']);
    phases.force({ project: 'shop', to: 'qa:open', agent: 'kim', reason: 'a trial' });
    phases.start('bank');
    expect(phases.projects()).toEqual(['shop', 'zoo', 'bank']);
  });

  test('begins with its first team', () => {
    const { teams, phases } = storeAt(':memory:').team;
    teams.create(NEW_TEAM);
    expect(phases.current(NEW_TEAM.project)).toBe('design:open');
  });

  test('that never began is refused by name', () => {
    const phases = phasesAt();
    const step = { project: 'x', agent: 'kim', reason: 'r' };
    for (const work of [
      () => phases.current('x'),
      () => phases.next('x'),
      () => phases.history('x'),
      () => phases.bypasses('x'),
      () => phases.checkGate('x', 'dev:tdd'),
      () => phases.advance({ ...step, from: 'design:open', to: 'design:approved' }),
      () => phases.force({ ...step, to: 'qa:open' }),
      () => phases.bypass({ ...step, skill: 'dev:tdd' }),
    ])
      expect(work).toThrow(coded('STORE_NO_SUCH_PROJECT'));
  });
});

describe('HO-04 HO-07 an advance', () => {
  test('is booked with its agent and what it rests on', () => {
    const phases = phasesAt();
    const step = { project: PROJECT, from: 'design:open', to: 'design:approved', agent: 'kim' };
    const event = phases.advance({ ...step, detail: 'sha256 of the design' });
    expect(event).toMatchObject({
      ...{ id: 1, kind: 'advance', from: 'design:open', to: 'design:approved' },
      ...{ agent: 'kim', detail: 'sha256 of the design', bypassId: null },
    });
    expect(phases.history(PROJECT)).toEqual([event]);
    expect(phases.current(PROJECT)).toBe('design:approved');
  });

  test('goes the whole way to the end, and no further', () => {
    const phases = phasesAt(...TO_QA, 'handoff:open', 'handoff:complete');
    expect(phases.current(PROJECT)).toBe('handoff:complete');
    expect(phases.history(PROJECT)).toHaveLength(TO_QA.length + 2);
    expect(phases.next(PROJECT)).toEqual([]);
    const from = 'handoff:complete';
    expect(() =>
      phases.advance({ project: PROJECT, from, to: 'diagnose:open', agent: 'kim' }),
    ).toThrow(
      expect.objectContaining({
        code: 'STORE_PHASE_ILLEGAL',
        hint: expect.stringContaining('is the end'),
      }),
    );
  });

  test('that goes nowhere says what a phase rests on, once', () => {
    const phases = phasesAt(...TO_PLAN);
    const plan = { project: PROJECT, phase: 'plan:approved', agent: 'kim', detail: 'hash 1' };
    expect(phases.confirm({ ...plan, phase: 'plan:open' })).toBeNull();
    expect(() => phases.confirm({ ...plan, detail: ' ' })).toThrow(coded('STORE_BAD_TEXT'));
    expect(phases.confirm(plan)).toMatchObject({
      ...{ kind: 'advance', from: 'plan:approved', to: 'plan:approved', detail: 'hash 1' },
    });
    expect(phases.confirm({ ...plan, detail: 'hash 2' })).toBeNull();
    expect(phases.history(PROJECT)).toHaveLength(4);
    expect(phases.current(PROJECT)).toBe('plan:approved');
  });

  test('that the catalogue does not know is refused, naming what is legal', () => {
    const phases = phasesAt();
    const step = { project: PROJECT, from: 'design:open', agent: 'kim' };
    expect(() => phases.advance({ ...step, to: 'tdd:red' })).toThrow(
      expect.objectContaining({
        code: 'STORE_PHASE_ILLEGAL',
        hint: expect.stringContaining('design:approved, diagnose:open'),
      }),
    );
    expect(() => phases.advance({ ...step, to: 'design:open' })).toThrow(
      coded('STORE_PHASE_ILLEGAL'),
    );
    expect(() => phases.advance({ ...step, to: 'handoff' })).toThrow(coded('STORE_NO_SUCH_PHASE'));
    expect(() => phases.advance({ ...step, to: 'design:approved', agent: ' ' })).toThrow(
      coded('STORE_BAD_TEXT'),
    );
    expect(phases.current(PROJECT)).toBe('design:open');
    expect(phases.history(PROJECT)).toEqual([]);
  });

  test('from where the project no longer is comes to nothing', () => {
    const phases = phasesAt('design:approved');
    const late = { project: PROJECT, from: 'design:open', to: 'design:approved', agent: 'bob' };
    expect(phases.advance(late)).toBeNull();
    expect(phases.history(PROJECT)).toHaveLength(1);
  });

  test.each(['design:open', 'review:changes-requested', 'qa:approved'])(
    'a diagnosis begins anywhere, and ends where it began: %s',
    (from) => {
      const phases = phasesAt();
      phases.force({ project: PROJECT, to: from, agent: 'kim', reason: 'a trial' });
      for (const [at, to] of [
        [from, 'diagnose:open'],
        ['diagnose:open', 'diagnose:resolved'],
        ['diagnose:resolved', from],
      ] as const)
        expect(phases.advance({ project: PROJECT, from: at, to, agent: 'kim' })).toMatchObject({
          to,
        });
    },
  );
});

describe('HO-05 a forced phase', () => {
  const forced = { project: PROJECT, to: 'qa:open', agent: 'kim', reason: 'a rescue' };

  test('is in the catalogue, and has a bypass that names agent and reason', () => {
    const phases = phasesAt();
    const event = phases.force(forced);
    const [bypass] = phases.bypasses(PROJECT);
    expect(event).toMatchObject({ kind: 'force', to: 'qa:open', bypassId: bypass?.id });
    expect(bypass).toMatchObject({
      ...{ from: 'design:open', to: 'qa:open', skill: null },
      ...{ agent: 'kim', reason: 'a rescue' },
    });
    expect(phases.current(PROJECT)).toBe('qa:open');
  });

  test.each([
    ['an unknown phase', { to: 'qa' }, 'STORE_NO_SUCH_PHASE'],
    ['no reason', { reason: '' }, 'STORE_BAD_TEXT'],
    ['no agent', { agent: '\n' }, 'STORE_BAD_TEXT'],
  ])('with %s is refused, and nothing moves', (_, over, code) => {
    const phases = phasesAt();
    expect(() => phases.force({ ...forced, ...over })).toThrow(coded(code));
    expect(phases.current(PROJECT)).toBe('design:open');
    expect([phases.history(PROJECT), phases.bypasses(PROJECT)]).toEqual([[], []]);
  });
});

describe('HO-01 HO-02 a gate answers', () => {
  test.each([
    ['dev:dispatch', TO_PLAN, true],
    ['dev:dispatch', [...TO_PLAN, 'tdd:red'], true],
    ['dev:dispatch', [...TO_PLAN, 'tdd:red', 'tdd:green'], true],
    ['dev:dispatch', TO_CLEAN, false],
    ['dev:dispatch', ['design:approved'], false],
    ['dev:tdd', [...TO_PLAN, 'tdd:red'], true],
    ['dev:review', TO_CLEAN, true],
    ['dev:review', [...TO_CLEAN, 'review:open', 'review:changes-requested'], true],
    ['dev:review', TO_PLAN, false],
    ['dev:security', TO_REVIEWED, true],
    ['dev:finish', TO_QA, true],
    ['dev:design', [], true],
    ['dev:nothing', TO_QA, true],
  ])('%s after %j: %s', (skill, steps, allowed) => {
    expect(phasesAt(...steps).checkGate(PROJECT, skill)).toMatchObject({ allowed });
  });

  test('with the phase that it needs, those that it takes, and why', () => {
    expect(phasesAt().checkGate(PROJECT, 'dev:dispatch')).toEqual({
      ...{ allowed: false, currentPhase: 'design:open', requiredPhase: 'plan:approved' },
      acceptedPhases: ['plan:approved', 'tdd:red', 'tdd:green'],
      reason: 'dev:dispatch needs plan:approved, and the project is at design:open',
    });
    expect(phasesAt().checkGate(PROJECT, 'dev:\u001b[31m')).toEqual({
      ...{ allowed: true, currentPhase: 'design:open', requiredPhase: null, acceptedPhases: [] },
      reason: 'dev:\\x1b[31m has no gate',
    });
  });
});

describe('HO-03 C7 a bypass', () => {
  const bypass = { project: PROJECT, skill: 'dev:dispatch', agent: 'kim', reason: 'a trial' };

  test('is a row of its own each time, names the procedure, and moves nothing', () => {
    const phases = phasesAt();
    const rows = [phases.bypass(bypass), phases.bypass(bypass)];
    expect(rows).toMatchObject([
      { id: 1, from: 'design:open', to: 'plan:approved', skill: 'dev:dispatch' },
      { id: 2, agent: 'kim', reason: 'a trial' },
    ]);
    expect(phases.bypasses(PROJECT)).toEqual(rows);
    expect(phases.history(PROJECT)).toMatchObject([
      { kind: 'bypass', bypassId: 1 },
      { kind: 'bypass', bypassId: 2 },
    ]);
    expect(phases.current(PROJECT)).toBe('design:open');
  });

  test.each([
    ['no reason', { reason: ' ' }, 'STORE_BAD_TEXT'],
    ['a reason without end', { reason: 'x'.repeat(2_001) }, 'STORE_BAD_TEXT'],
    ['no agent', { agent: '' }, 'STORE_BAD_TEXT'],
    ['no gate', { skill: 'dev:design' }, 'STORE_NO_SUCH_GATE'],
    ['no such procedure', { skill: 'dev:nothing' }, 'STORE_NO_SUCH_GATE'],
  ])('with %s is refused, and leaves no row', (_, over, code) => {
    const phases = phasesAt();
    expect(() => phases.bypass({ ...bypass, ...over })).toThrow(coded(code));
    expect([phases.bypasses(PROJECT), phases.history(PROJECT)]).toEqual([[], []]);
  });
});
