import { describe } from 'vitest';
import { memoryLedger, memoryWire } from '../src/index.ts';
import { ledgerContract } from './ledger-contract.ts';
import { wireContract } from './wire-contract.ts';

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  t: ['lead', 'a', 'b'],
  u: ['lead', 'a'],
};

describe('a wire in memory', () => {
  wireContract(() =>
    memoryWire({
      now: () => 0,
      isMember: (teamId, roleId) => MEMBERS[teamId]?.includes(roleId) ?? false,
    }),
  );
});

describe('a ledger in memory', () => {
  ledgerContract(() => memoryLedger({ now: () => 0 }));
});
