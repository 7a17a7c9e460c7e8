import { expect, it } from 'vitest';
import type { AuditLedger } from '../src/index.ts';

/** A ledger that knows the teams `t` and `u`. */
export type LedgerMaker = () => AuditLedger;

/** What every ledger promises. That many processes may ask at once is shown where there are processes. */
export function ledgerContract(make: LedgerMaker): void {
  const entry = { teamId: 't', eventType: 'side_query', payload: { a: 1, b: ['é', null] } };

  it('gives a team its rows, oldest first, and of one kind when asked', () => {
    const ledger = make();
    const first = ledger.append(entry);
    const second = ledger.append({ ...entry, eventType: 'roster_proposal' });
    ledger.append({ ...entry, teamId: 'u' });
    expect(ledger.list({ teamId: 't' })).toEqual([first, second]);
    expect(ledger.list({ teamId: 't', eventType: 'roster_proposal' })).toEqual([second]);
    expect(second.id).toBeGreaterThan(first.id);
    expect(first).toMatchObject(entry);
    expect(first.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
  });

  it('TB-41: a latch writes once for each team', () => {
    const ledger = make();
    const written = [
      ...[1, 2, 3].map(() => ledger.latch('g', entry)),
      ledger.latch('g', { ...entry, teamId: 'u' }),
      ledger.latch('["g"]', entry),
    ];
    expect(written.map((row) => row !== null)).toEqual([true, false, false, true, true]);
    expect(ledger.list({ teamId: 't' })).toHaveLength(2);
  });
}
