import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@atelier/store-sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  admitPersona,
  CORE_PERSONAS,
  consentDesk,
  dispatchablePersonas,
  type Gap,
  gapLatch,
  MESSAGE_TYPES,
  type MessageWire,
  meetingHeld,
  memoryWire,
  type OutgoingMessage,
  openMeeting,
  proposeRole,
  recordSideQuery,
  rosterOf,
  WIRE_KINDS,
} from '../src/index.ts';
import { ledgerContract } from './ledger-contract.ts';
import { wireContract } from './wire-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'team-behaviors-'));
const opened: Store[] = [];
let files = 0;

afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function storeAt(path = ':memory:'): Store {
  const store = openStore({ path });
  opened.push(store);
  return store;
}

function withTeams(store: Store): Store {
  const { teams } = store.team;
  const persona = { version: '1', text: 'You are you.' };
  for (const [teamId, ...roles] of [
    ['t', 'lead', 'a', 'b'],
    ['u', 'lead', 'a'],
  ] as const) {
    teams.create({ teamId, runId: `run ${teamId}`, project: 'shop', leadRole: 'lead' });
    for (const roleId of roles) teams.addMember({ teamId, roleId, memberName: roleId, persona });
  }
  return store;
}

function newFile(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

describe('the wire of the store', () => {
  wireContract(() => withTeams(storeAt()).team.wire);
});

describe('the ledger of the store', () => {
  ledgerContract(() => withTeams(storeAt()).team.ledger);
});

describe('what is written down on both sides of the seam, as neither may import the other', () => {
  const message = { teamId: 't', recipient: 'a', senderId: 'lead', kind: 'reply', payload: '{}' };
  const refusal = (wire: MessageWire, over: object): unknown => {
    try {
      wire.sendAll([{ ...message, ...over } as OutgoingMessage]);
      return undefined;
    } catch (error) {
      return error;
    }
  };

  it('the kinds and the types of messages are the same, in the same order', () => {
    const { wire } = withTeams(storeAt()).team;
    expect(refusal(wire, { kind: '' })).toMatchObject({
      hint: `Nothing was written. Wanted: ${WIRE_KINDS.join(', ')}.`,
    });
    expect(refusal(wire, { mtype: '' })).toMatchObject({
      hint: `Nothing was written. Wanted: a reply with one of ${MESSAGE_TYPES.join(', ')}.`,
    });
    for (const kind of WIRE_KINDS) expect(refusal(wire, { kind })).toBeUndefined();
    for (const mtype of MESSAGE_TYPES) expect(refusal(wire, { mtype })).toBeUndefined();
  });

  it('the same keys are keys, and the wire in memory takes no other ones', () => {
    const { wire } = withTeams(storeAt()).team;
    const memory = memoryWire({ now: () => 0 });
    const letters = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code));
    const keys = [
      ...letters.map((letter) => `${'0'.repeat(25)}${letter}`),
      ...['', '0'.repeat(25), '0'.repeat(27), `${'0'.repeat(26)}\n`],
    ];
    const taken = (one: MessageWire) =>
      keys.filter((idempotencyKey) => refusal(one, { idempotencyKey }) === undefined);
    expect(taken(wire)).toEqual(taken(memory));
    expect(taken(memory)).toHaveLength(32);
  });
});

describe('over the store', () => {
  it('TB-18: another process goes on with a meeting, and a long message keeps its type and its words', () => {
    const path = newFile();
    const open = (store: Store) =>
      openMeeting({
        ...{ wire: store.team.wire, teamId: 't', chair: 'lead', members: ['a', 'b'] },
        now: Date.now,
      });
    const first = open(withTeams(storeAt(path)));
    const says = 'é'.repeat(5000);
    first.post({ baseKey: '1', body: { says } });
    const other = storeAt(path);
    const second = open(other);
    second.post({ baseKey: '1', body: { says: 'again' } });
    second.post({ baseKey: '2', body: { says: 'yes' }, sender: 'a', replyTo: 1 });
    expect(first.transcript()).toMatchObject([
      { turn: 1, senderId: 'lead', body: { says } },
      { turn: 2, senderId: 'a', body: { says: 'yes' }, replyTo: 1 },
    ]);
    const { minutes } = second.close({ summary: 'Done.' });
    expect(first.minutes()).toEqual(minutes);
    expect([meetingHeld(other.team.wire, 't'), meetingHeld(other.team.wire, 'u')]).toEqual([
      ...[true, false],
    ]);
    const inbox = other.team.wire.read({ teamId: 't', roleId: 'b' });
    expect(inbox.map(({ mtype }) => mtype)).toEqual([
      ...['team_meeting', 'team_meeting', 'meeting_done'],
    ]);
  });

  it('TB-41: two who open the store book a gap once', () => {
    const path = newFile();
    const latches = [withTeams(storeAt(path)), storeAt(path)].map(({ team }) =>
      gapLatch({ ledger: team.ledger, teamId: 't' }),
    );
    const gap: Gap = {
      kind: 'task-abandon',
      taskId: 'é'.repeat(200),
      category: 'capacity',
      description: 'd',
    };
    const rows = [...latches, ...latches].map((latch) => latch.escalate(gap));
    expect(rows.map((row) => row !== null)).toEqual([true, false, false, false]);
  });

  it('TB-60: a persona is kept behind consent, and refused by the store itself without it', () => {
    const { team } = withTeams(storeAt());
    const { ledger, roster: approved } = team;
    const taken = rosterOf(CORE_PERSONAS).ids;
    const proposal = proposeRole({
      ...{ ledger, teamId: 't', taken, by: 'lead', rationale: 'Needed.' },
      ...{ roleName: 'game-engineer', roleDescription: 'Builds games.\n\n- Everywhere.' },
    });
    const { proposalId } = proposal;
    const workers = team.teams.members('t').map(({ roleId }) => roleId);
    const desk = consentDesk({ ledger, teamId: 't', operator: 'ann', workers });
    const admit = () => admitPersona({ ledger, approved, teamId: 't', proposalId, workers, taken });
    const dispatchable = () =>
      dispatchablePersonas({ ledger, approved, workersOf: () => workers }).map(({ id }) => id);
    expect(admit()).toEqual({ kind: 'refused', why: 'no-consent' });
    desk.decide({ ...proposal, acked: true });
    expect([admit(), admit()]).toMatchObject([{ kind: 'admitted' }, { kind: 'admitted' }]);
    expect(dispatchable()).toEqual(['game-engineer']);
    desk.decide({ ...proposal, acked: false });
    expect(dispatchable()).toEqual([]);
    const forged = { id: 'other-bot', profile: 'x', teamId: 't', proposalId, approvedBy: 'ann' };
    expect(() => approved.add({ ...forged, consentId: proposalId })).toThrow();
  });

  it('TB-50: the longest side query fits, whatever characters it has', () => {
    const { team } = withTeams(storeAt());
    const text = '\u0001'.repeat(200_000);
    const query = { ledger: team.ledger, teamId: 't', workerRoleId: 'a' };
    const { audit } = recordSideQuery({ ...query, prompt: text, response: text });
    expect(team.ledger.list({ teamId: 't' })).toEqual([audit]);
  });
});
