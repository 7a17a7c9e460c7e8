import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { race, startChild } from './child.ts';
import { storePath } from './store-file.ts';
import { keyOf, registerTeam, TEAM } from './team-file.ts';

/** How many take part in a race, and how often. */
export interface TeamRace {
  readonly processes: number;
  /** Of what may happen once, however many try. */
  readonly rounds: number;
  /** That each sends to one inbox. */
  readonly messages: number;
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, n) => n + 1);

/** One race of processes over one file, and what must hold of it. */
export function teamRace({ processes, rounds, messages }: TeamRace): void {
  const roles = upTo(processes).map((number) => `role-${number}`);

  describe(`${processes} processes, ${rounds} rounds, ${messages} messages each`, () => {
    test('each thing that may happen once does, inboxes are gapless, and everybody is heard in order', async () => {
      const path = storePath();
      const store = openStore({ path });
      onTestFinished(() => store.close());
      const team = registerTeam(store, 'bob', ...roles);
      for (const round of upTo(rounds)) team.phases.start(`p${round - 1}`);

      const ended = await race(
        roles.map((role) => startChild('team.mjs', path, role, `${rounds}`, `${messages}`)),
      );

      expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual(
        roles.map(() => ({ code: 0, errors: '' })),
      );
      const told = ended.map(({ output }) => JSON.parse(output.replace('ready\n', '')));
      const sum = (name: string) => told.reduce((all, one) => all + one[name], 0);
      expect({ latched: sum('latched'), stored: sum('stored'), moved: sum('moved') }).toEqual({
        ...{ latched: rounds, stored: rounds, moved: rounds },
      });

      // TB-41: one row for each gap, and no gap without one.
      const gaps = team.ledger.list({ teamId: TEAM, eventType: 'persona_gap_escalation' });
      expect(gaps.map(({ payload }) => Number(payload['gap_id']) + 1)).toEqual(upTo(rounds));

      // TB-05: one row under each key, whoever was first.
      const keyed = team.wire.read({ teamId: TEAM, roleId: 'bob', limit: 5_000 });
      expect(keyed.map(({ seq }) => seq)).toEqual(upTo(rounds));
      expect(keyed.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
        upTo(rounds).map((round) => keyOf(round - 1)),
      );

      // HO-07: of two who take the same step one does, and the history has that one.
      const steps = upTo(rounds).map((round) => team.phases.history(`p${round - 1}`).length);
      expect(new Set(steps)).toEqual(new Set([1]));

      // TB-06: seq is 1..N, each sender's messages are in the order of sending, and a reader who resumes misses none.
      const last = processes * messages;
      const inbox: { seq: number; senderId: string; payload: string | null }[] = [];
      while (inbox.length < last) {
        const some = team.wire.read({ teamId: TEAM, roleId: 'lead', limit: 37 });
        expect(some.length).toBeGreaterThan(0);
        inbox.push(...some);
      }
      expect(inbox.map(({ seq }) => seq)).toEqual(upTo(last));
      for (const role of roles)
        expect(
          inbox.filter(({ senderId }) => senderId === role).map(({ payload }) => Number(payload)),
        ).toEqual(upTo(messages));
      expect(team.wire.cursor(TEAM, 'lead')).toBe(last);
    });
  });
}
