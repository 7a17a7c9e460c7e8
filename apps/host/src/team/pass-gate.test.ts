import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ME, teamScene } from '../../test/team-scene.ts';
import { bypassesOfRun, withBypasses } from './bypasses-of-run.ts';
import { assertApproved } from './may-run.ts';
import { passGate } from './pass-gate.ts';

const at = teamScene();
afterAll(() => at.remove());
beforeEach(() => at.clear());

interface Terminal {
  readonly answer?: string;
  readonly ci?: boolean;
  readonly bypassReason?: string;
}

/** Asks at the gate of a project that has just begun, and tells what came of it. */
const tried = ({ answer, ci = false, bypassReason }: Terminal) =>
  at.within(async (project) => {
    const questions: string[] = [];
    let stderr = '';
    const ask = async (question: string) => {
      // It is not on record before it is decided.
      expect(project.store.team.phases.bypasses(project.repository.id)).toEqual([]);
      questions.push(question);
      return answer ?? '';
    };
    const passing = {
      streams: {
        ...(answer === undefined ? {} : { ask }),
        stderr: { write: (text: string) => (stderr += text) },
      },
      environment: { ci },
      bypassReason,
    };
    const passed = await passGate(project, passing).catch((error: unknown) => error);
    const booked = project.store.team.phases.bypasses(project.repository.id);
    return { questions, stderr, passed, booked };
  });

const DENIED = expect.objectContaining({
  ...{ code: 'PHASE_GATE', hint: expect.stringContaining('--bypass-reason TEXT') },
});

describe('hard rule: a gate that is shut is bypassed by a confirmation that is on record, or not at all', () => {
  it('the person at the terminal is asked, and what they say is written before anything goes on', async () => {
    const { questions, passed, booked, stderr } = await tried({ answer: '  a hotfix ' });
    expect(questions).toEqual([
      'dev:dispatch needs plan:approved, and the project is at design:open. A reason to go on all the same (empty: stop): ',
    ]);
    expect(booked).toMatchObject([{ skill: 'dev:dispatch', reason: 'a hotfix', agent: ME }]);
    expect(passed).toEqual(booked);
    expect(stderr).toMatch(/^the gate was bypassed, and that is recorded: dev:dispatch needs/u);
  });

  it('no reason is no', async () => {
    expect(await tried({ answer: ' ' })).toMatchObject({ passed: DENIED, booked: [], stderr: '' });
  });

  it('in CI nobody is asked, whoever sits there; nor where nobody does', async () => {
    for (const terminal of [{ answer: 'yes', ci: true }, { ci: true }, {}])
      expect(await tried(terminal)).toMatchObject({ questions: [], passed: DENIED, booked: [] });
  });

  it('a reason of the command line is taken without asking, in CI too; a blank one is none', async () => {
    const given = await tried({ answer: 'mine', ci: true, bypassReason: 'urgent' });
    expect(given).toMatchObject({ questions: [], booked: [{ reason: 'urgent' }] });
    at.clear();
    expect(await tried({ bypassReason: ' ' })).toMatchObject({ passed: DENIED, booked: [] });
  });
});

it('a run is told of the bypasses that it was let through by, also of earlier starts, and of nobody else’s', () =>
  at.within(async (project) => {
    const { phases } = project.store.team;
    const { id } = project.repository;
    phases.start(id);
    const others = (reason: string) =>
      phases.bypass({ project: id, skill: 'dev:dispatch', agent: 'ann', reason });
    const streams = { stderr: { write: () => undefined } };
    const passing = (bypassReason: string) => ({
      streams,
      environment: { ci: true },
      bypassReason,
    });
    others('before');
    const plain = { about: { planHash: 'x' } } as unknown as Parameters<typeof withBypasses>[0];
    expect(withBypasses(plain, [])).toBe(plain);
    const first = withBypasses(plain, await passGate(project, passing('first')));
    others('meanwhile');
    // The journal keeps texts alone.
    const kept = JSON.parse(JSON.stringify(first)) as typeof plain;
    phases.force({ project: id, to: 'plan:open', agent: 'ann', reason: 'r' });
    const step = { project: id, from: 'plan:open', to: 'plan:approved', agent: 'ann' };
    phases.advance({ ...step, detail: 'another hash' });
    const again = withBypasses(kept, await assertApproved(project, kept, passing('again')));
    others('after');
    expect(bypassesOfRun(phases, id, again).map(({ reason }) => reason)).toEqual([
      ...['first', 'again'],
    ]);
    expect(bypassesOfRun(phases, id, plain)).toEqual([]);
  }));
