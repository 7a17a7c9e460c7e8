import { existsSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { waitingTeam } from '../team/current-team.ts';

const at = teamScene();
afterAll(() => at.remove());
beforeEach(() => at.clear());

const meet = (...args: string[]) => {
  const tasks = ['backend-engineer', undefined].map((assigned_persona, index) => ({
    ...{ id: `t${index}`, title: 't', description: 'd', parallel_group: 1, assigned_persona },
    writes: [`${index}.ts`],
  }));
  return at.atelier([
    'meet',
    at.file('plan.json', JSON.stringify({ goal: 'tea', tasks })),
    ...args,
  ]);
};

const jsonOf = (text: string) => JSON.parse(text.trim());

describe('atelier meet --minutes', () => {
  const NOTES = `
turns:
  - { by: backend-engineer, says: "The API first?" }
  - { by: human, says: Yes., reply_to: 1 }
summary: We begin with the API.
decisions: [The API comes first]
`;

  it('H3: keeps the meeting that people held, starts nothing, and the same notes again change nothing', async () => {
    const notes = at.file('notes.yaml', NOTES);
    const first = await meet('--minutes', notes, '--json');
    const { turns, minutes, runs, kind } = jsonOf(first.stdout);
    expect([first.code, kind, runs]).toEqual([0, 'held', []]);
    expect(minutes).toMatchObject({ summary: 'We begin with the API.', message_count: 2 });
    // A person speaks as the lead: a role of its own would be a worker, who can not consent.
    expect(turns).toMatchObject([
      { by: 'backend-engineer', body: { says: 'The API first?' } },
      { by: 'team-lead', reply_to: 1 },
    ]);
    const rows = () =>
      at.within((project) =>
        project.store.team.wire.messages({ teamId: waitingTeam(project)?.teamId ?? '' }),
      );
    const written = await rows();
    const again = await meet('--minutes', notes);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('has had its meeting')]);
    expect(again.stdout).toContain('2. **team-lead** (to 1): Yes.');
    expect(await rows()).toEqual(written);
    expect(existsSync(at.stateHome)).toBe(false);
  });

  it('people finish a meeting that agents began, whatever the clock of that one', async () => {
    const parked = await at.within(async (project) => {
      await meet('--minutes', at.file('bad.yaml', 'summary: [1]'));
      const team = waitingTeam(project);
      return team?.teamId ?? '';
    });
    await at.within(({ store }) =>
      store.team.wire.sendAll([
        {
          ...{ teamId: parked, senderId: 'team-lead', recipient: 'worker', kind: 'reply' },
          ...{ mtype: 'team_meeting', meetingId: 'plan-phase', turn: 1, payload: '{"says":"x"}' },
        },
      ]),
    );
    const told = jsonOf((await meet('--minutes', at.file('n.yaml', NOTES), '--json')).stdout);
    expect([told.kind, told.turns.length]).toEqual(['held', 2]);
  });

  it('H3: more than 200 turns are cut, the minutes are PARTIAL and say so: exit 3', async () => {
    const turns = Array.from({ length: 201 }, (_, index) => ({ by: 'worker', says: `${index}` }));
    const notes = at.file('notes.json', JSON.stringify({ turns, summary: 'Much was said.' }));
    const partial = await meet('--minutes', notes);
    expect(partial.code).toBe(3);
    expect(partial.stdout).toContain('**PARTIAL**');
    expect(partial.stdout).toContain('## What was said (200)');
    expect((await meet('--minutes', notes)).code).toBe(0);
  });

  it('tells every defect of notes by its place, and keeps nothing', async () => {
    const notes = at.file(
      'notes.json',
      JSON.stringify({
        turns: [
          { by: 'cto', says: 'x' },
          { by: 'worker', says: ' ', reply_to: 2 },
        ],
        sumary: 's',
      }),
    );
    const refused = await meet('--minutes', notes);
    expect(refused.code).toBe(2);
    for (const place of [
      'sumary:',
      'summary:',
      'turns[0].by:',
      'turns[1].says:',
      'turns[1].reply_to:',
    ])
      expect(refused.stderr).toContain(place);
    expect(refused.stderr).toContain('Use one of human, team-lead, backend-engineer, worker.');
    const rows = await at.within((project) =>
      project.store.team.wire.messages({ teamId: waitingTeam(project)?.teamId ?? '' }),
    );
    expect(rows).toEqual([]);
  });
});
