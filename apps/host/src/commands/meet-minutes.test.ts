import { existsSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { recordNotes } from '../meeting/record-notes.ts';
import { waitingTeam } from '../team/current-team.ts';

const at = teamScene();
afterAll(() => at.remove());
beforeEach(() => at.clear());

const meet = (...args: string[]) => meetOver('tea', ...args);

const meetOver = (goal: string, ...args: string[]) => meetWith({ goal }, ...args);

const meetWith = (more: object, ...args: string[]) => {
  const tasks = ['backend-engineer', undefined].map((assigned_persona, index) => ({
    ...{ id: `t${index}`, title: 't', description: 'd', parallel_group: 1, assigned_persona },
    writes: [`${index}.ts`],
  }));
  return at.atelier([
    'meet',
    at.file('plan.json', JSON.stringify({ goal: 'tea', tasks, ...more })),
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

  it('of notes that were changed, nothing is told that a killed host has put on the wire of them before', async () => {
    await meet('--minutes', at.file('bad.yaml', 'summary: [1]'));
    await at.within(({ store, repository }) => {
      const team = waitingTeam({ store, repository });
      if (!team) return expect.fail('nobody waits');
      const { wire } = store.team;
      let sent = 0;
      const sendAll: typeof wire.sendAll = (messages) => {
        if (sent++ > 0) throw new Error('killed');
        return wire.sendAll(messages);
      };
      const dying = { store: { ...store, team: { ...store.team, wire: { ...wire, sendAll } } } };
      const entries = ['first', 'second'].map((text) => ({ sender: 'backend-engineer', text }));
      const closing = { summary: 's', decisions: [], openPoints: [] };
      const about = { hash: 'h', goal: 'tea', topic: 't' };
      const roles = ['backend-engineer', 'worker'];
      expect(() => recordNotes(dying, { ...team, roles }, { entries, closing, about })).toThrow(
        'killed',
      );
      expect(wire.messages({ teamId: team.teamId })).not.toEqual([]);
    });
    const told = jsonOf((await meet('--minutes', at.file('n.yaml', NOTES), '--json')).stdout);
    expect(told.turns.map(({ body }: { body: { says: string } }) => body.says)).toEqual([
      'The API first?',
      'Yes.',
    ]);
  });

  it('what a team met over stays that: of another plan nothing is told, until it is met over anew', async () => {
    const notes = at.file('notes.yaml', NOTES);
    expect((await meet('--minutes', notes)).code).toBe(0);
    const first = await at.within((project) => waitingTeam(project)?.teamId ?? '');
    const other = await meetOver('coffee', '--minutes', notes);
    expect([other.code, other.stdout]).toEqual([2, '']);
    expect(other.stderr).toContain('MEETING_OF_ANOTHER_PLAN');
    expect(other.stderr).toContain('the goal of that one is "tea", and of this one "coffee"');
    expect(other.stderr).toContain('atelier meet PLAN --anew');
    const changed = await meetWith({ gate: 'true' });
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining(
        'this plan as it was before it was changed; the goal of both is "tea"',
      ),
    ]);
    // What it may cost is not what it is over.
    expect((await meetWith({ budget: { tokens: 7 } })).code).toBe(0);
    // A meeting that can not begin lets nobody go.
    const failed = await meetOver('coffee', '--anew', '--minutes', at.file('bad.yaml', '['));
    expect(failed.code).toBe(2);
    expect(await at.within((project) => waitingTeam(project)?.teamId)).toBe(first);
    const anew = jsonOf((await meetOver('coffee', '--anew', '--minutes', notes, '--json')).stdout);
    expect([anew.kind, anew.team === first]).toEqual(['held', false]);
    await at.within((project) => {
      const { teams, wire } = project.store.team;
      expect(waitingTeam(project)?.teamId).toBe(anew.team);
      expect(teams.get(first)?.status).toBe('closed');
      expect(wire.messages({ teamId: first, mtype: 'meeting_done' })).not.toEqual([]);
    });
  });

  it('what no turn could be made with is refused at once, and misses no turn', async () => {
    for (const more of [
      ['codex', '--model', 'sonnet'],
      ['command:/bin/true', '--budget', '$5'],
    ]) {
      const refused = await meet('--agent', ...more);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/is a tier of claude|dollars needs a model with a price/u),
      ]);
    }
    const rows = await at.within(({ store }) => store.runs());
    expect(rows).toEqual([]);
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
