import { describe, expect, test } from 'vitest';
import { manualClock, memoryJournal, scriptedTransport } from '../../src/index.ts';
import {
  casesFor,
  playedByBriefing,
  type SystemFixture,
  systemConformance,
} from '../../src/testing/index.ts';
import { adoptingTransport } from './adopting-transport.ts';
import { jobTable } from './job-table.ts';
import { polledJobs } from './polled-jobs.ts';

/** The memory journal lasts as long as its instance, so that the next host is given the same. */
const FIXTURES: Readonly<Record<string, () => SystemFixture>> = {
  scriptedTransport: () => {
    const clock = manualClock();
    const journal = memoryJournal();
    const compose = () => ({ transport: scriptedTransport(playedByBriefing, { clock }), journal });
    return { ...compose(), reopen: compose, clock, close() {} };
  },
  'pollingTransport over a table of jobs': () => {
    const clock = manualClock();
    const journal = memoryJournal();
    const table = jobTable(clock);
    const compose = () => ({ transport: polledJobs(table, clock), journal });
    return { ...compose(), reopen: compose, clock, alive: table.alive, close() {} };
  },
  'a transport that adopts': () => {
    const clock = manualClock();
    const journal = memoryJournal();
    const table = jobTable(clock);
    const compose = () => ({ transport: adoptingTransport(table, clock), journal });
    return { ...compose(), reopen: compose, clock, alive: table.alive, close() {} };
  },
};

for (const [name, open] of Object.entries(FIXTURES)) {
  const { cases, leftOut } = await casesFor(systemConformance, open);
  describe(`a whole run over the memory journal and ${name}`, () => {
    for (const { name, run } of cases) test(name, () => run(open, expect.fail));
    test('the cases that say nothing of it are known', async () => {
      const lines = leftOut.map(({ name, why }) => `${name}: ${why}\n`);
      await expect(lines.join('')).toMatchFileSnapshot(
        `left-out/system-${name.replaceAll(' ', '-')}.txt`,
      );
    });
  });
}
