import { describe, expect, test } from 'vitest';
import { manualClock, scriptedTransport } from '../../src/index.ts';
import {
  casesFor,
  playedByBriefing,
  type TransportFixture,
  transportConformance,
} from '../../src/testing/index.ts';
import { adoptingTransport } from './adopting-transport.ts';
import { jobTable } from './job-table.ts';
import { polledJobs } from './polled-jobs.ts';

const FIXTURES: Readonly<Record<string, () => TransportFixture>> = {
  scriptedTransport: () => {
    const clock = manualClock();
    return { transport: scriptedTransport(playedByBriefing, { clock }), clock, close() {} };
  },
  'pollingTransport over a table of jobs': () => {
    const clock = manualClock();
    const table = jobTable(clock);
    return { transport: polledJobs(table, clock), clock, alive: table.alive, close() {} };
  },
  'a transport that adopts': () => {
    const clock = manualClock();
    const table = jobTable(clock);
    const compose = () => ({ transport: adoptingTransport(table, clock) });
    return { ...compose(), reopen: compose, clock, alive: table.alive, close() {} };
  },
};

for (const [name, open] of Object.entries(FIXTURES)) {
  const { cases, leftOut } = await casesFor(transportConformance, open);
  describe(`${name} keeps the promises of a transport`, () => {
    for (const { name, run } of cases) test(name, () => run(open, expect.fail));
    test('the cases that say nothing of it are known', async () => {
      const lines = leftOut.map(({ name, why }) => `${name}: ${why}\n`);
      await expect(lines.join('')).toMatchFileSnapshot(
        `left-out/transport-${name.replaceAll(' ', '-')}.txt`,
      );
    });
  });
}
