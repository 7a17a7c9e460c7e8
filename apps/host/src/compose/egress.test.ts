import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEgress } from './egress.ts';

it.each([
  [['a.example'], [expect.stringContaining('network.allow holds nothing back here')]],
  [[], []],
])('without walls a list of hosts is said to hold nothing back: %j', async (allow, told) => {
  const sockets = mkdtempSync(join(tmpdir(), 'atelier-egress-'));
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const tell = () => undefined;
  expect(await openEgress({ allow, sockets, confined: false, warn, tell })).toBeUndefined();
  expect(warnings).toEqual(told);
  expect(readdirSync(sockets)).toEqual([]);
});
