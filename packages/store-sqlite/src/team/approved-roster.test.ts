import { describe, expect, test } from 'vitest';
import { NEW_TEAM, TEAM, teamAt } from '../../test/team-file.ts';

const coded = (code: string) => expect.objectContaining({ name: 'StoreError', code });

function withConsent(payload: object = {}, eventType = 'roster_consent') {
  const team = teamAt(':memory:');
  const { id: proposalId } = team.ledger.append({ teamId: TEAM, eventType: 'roster_proposal' });
  const { id: consentId } = team.ledger.append({
    ...{ teamId: TEAM, eventType },
    payload: { acked: true, proposal_id: proposalId, ...payload },
  });
  const persona = {
    ...{ id: 'tuner', profile: 'You tune engines.', teamId: TEAM, approvedBy: 'kim' },
    ...{ proposalId, consentId },
  };
  return { ...team, persona };
}

describe('a persona is written to the roster only behind a recorded consent', () => {
  test('with one it is there for good; what first came of a proposal stays', () => {
    const { roster, persona } = withConsent();
    expect(roster.add(persona)).toEqual(persona);
    expect(roster.add({ ...persona, profile: 'You tune pianos.' })).toEqual(persona);
    expect(roster.list()).toEqual([persona]);
  });

  test('an id is not used up: each proposal of it needs a consent of its own, and they are listed in their order', () => {
    const { roster, persona, ledger } = withConsent();
    roster.add(persona);
    const { id: proposalId } = ledger.append({ teamId: TEAM, eventType: 'roster_proposal' });
    const other = { ...persona, profile: 'You tune pianos.', proposalId };
    expect(() => roster.add(other)).toThrow(coded('STORE_NO_CONSENT'));
    const payload = { acked: true, proposal_id: proposalId };
    const consent = ledger.append({ teamId: TEAM, eventType: 'roster_consent', payload });
    const again = { ...other, consentId: consent.id };
    expect(roster.add(again)).toEqual(again);
    expect(roster.list()).toEqual([persona, again]);
  });

  test.each([
    ['a refusal', { acked: false }],
    ['what only looks like a yes', { acked: 'true' }],
    ['a yes to another proposal', { proposal_id: 7 }],
    ['a yes to no proposal', { proposal_id: null }],
  ])('%s is none', (_, payload) => {
    const { roster, persona } = withConsent(payload);
    expect(() => roster.add(persona)).toThrow(coded('STORE_NO_CONSENT'));
    expect(roster.list()).toEqual([]);
  });

  test('a proposal that claims to be approved is none', () => {
    const { roster, persona } = withConsent({}, 'roster_proposal');
    expect(() => roster.add(persona)).toThrow(coded('STORE_NO_CONSENT'));
  });

  test('a row that is not there, or is of another team, is none', () => {
    const { roster, persona, teams } = withConsent();
    teams.create({ ...NEW_TEAM, teamId: 't2', runId: 'run-2' });
    for (const over of [{ consentId: 99 }, { teamId: 't2' }])
      expect(() => roster.add({ ...persona, ...over })).toThrow(coded('STORE_NO_CONSENT'));
  });

  test.each([
    ['no id', { id: '' }, 'STORE_BAD_NAME'],
    ['an id that could be read as another', { id: 'tuner@9' }, 'STORE_BAD_NAME'],
    ['no profile', { profile: ' ' }, 'STORE_BAD_TEXT'],
    ['nobody who approved', { approvedBy: '' }, 'STORE_BAD_TEXT'],
  ])('%s is refused', (_, over, code) => {
    const { roster, persona } = withConsent();
    expect(() => roster.add({ ...persona, ...over })).toThrow(coded(code));
  });
});
