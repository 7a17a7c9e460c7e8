import { describe, expect, test } from 'vitest';
import { type Journal, manualClock, memoryJournal, type Transport } from '../../src/index.ts';
import { type SystemFixture, systemConformance } from '../../src/testing/index.ts';
import { adoptingTransport } from './adopting-transport.ts';
import { type JobTable, jobTable } from './job-table.ts';

interface Broken {
  readonly transport?: (inner: Transport, table: JobTable) => Partial<Transport>;
  /** Of each host, the first among them. */
  readonly journal?: (inner: Journal) => Partial<Journal>;
}

const opened = ({ transport, journal }: Broken): SystemFixture => {
  const clock = manualClock();
  const table = jobTable(clock);
  const kept = memoryJournal();
  const compose = () => {
    const inner = adoptingTransport(table, clock);
    return {
      transport: { ...inner, ...transport?.(inner, table) },
      journal: { append: kept.append, load: kept.load, ...journal?.(kept) },
    };
  };
  return { ...compose(), reopen: compose, clock, alive: table.alive, close() {} };
};

/** What is broken, the clause that must catch it, and what it must say. */
const BROKEN: readonly (readonly [what: string, clause: string, says: RegExp, how: Broken])[] = [
  [
    'whose stop leaves the worker',
    'a worker that hangs is ended at its wall clock, and its task is tried again',
    /two live workers|lives/,
    {
      transport: (inner) => ({
        start: async (order, signal) => ({
          ...(await inner.start(order, signal)),
          stop: async () => undefined,
        }),
      }),
    },
  ],
  [
    'whose peek shows nothing',
    'a confirming read saves the reply of a worker that hangs after it',
    /engine-abandon capacity/,
    {
      transport: (inner) => ({
        start: async (order, signal) => ({
          ...(await inner.start(order, signal)),
          peek: async () => undefined,
        }),
      }),
    },
  ],
  [
    'that makes replies fit',
    'a reply of another task never counts: it costs one attempt',
    /deep-equal/,
    {
      transport: (inner) => ({
        start: async (order, signal) => {
          const handle = await inner.start(order, signal);
          const { task, attempt } = order;
          return {
            ...handle,
            report: handle.report.then((end) =>
              end.kind === 'replied'
                ? { ...end, reply: { ...Object(end.reply), task_id: task.id, attempt } }
                : end,
            ),
          };
        },
      }),
    },
  ],
  [
    'that ends a worker instead of finding it again',
    'one that hangs is ended by the next host, at the wall clock that it had',
    /failed with lost .*expected: timeout/,
    {
      transport: (inner) => ({
        adopt: async (order, signal) => {
          await (await inner.adopt?.(order, signal))?.stop('gone');
          return undefined;
        },
      }),
    },
  ],
  [
    'that finds no worker again, and leaves it',
    'a worker that outlives its host is adopted, and nothing is charged',
    /two live workers/,
    { transport: () => ({ adopt: async () => undefined }) },
  ],
  [
    'that can not tell how long an adopted worker has run, nor end it',
    'one that hangs is ended by the next host, at the wall clock that it had',
    /two live workers|lives/,
    {
      transport: (inner) => ({
        async adopt(order, signal) {
          const found = await inner.adopt?.(order, signal);
          return found && { ...found, stop: async () => undefined };
        },
      }),
    },
  ],
  [
    'whose journal keeps nothing of a batch that it was killed over',
    'a host killed after any batch, with nothing done about it: the same outcomes',
    /continues at seq/,
    {
      journal: (inner) => ({
        load: async (runId) => (await inner.load(runId)).slice(0, -1),
      }),
    },
  ],
  [
    'whose journal forgets who was charged',
    'a host killed before any batch of its run is written: the same outcomes',
    /a gap in the record/,
    {
      journal: (inner) => ({
        load: async (runId) => {
          const events = await inner.load(runId);
          return events.filter(({ type }) => type !== 'attempt.started');
        },
      }),
    },
  ],
];

describe('the suite catches a system', () => {
  test.for(BROKEN)('%s: %s', async ([, clause, says, how]) => {
    const found = systemConformance.find(({ name }) => name === clause);
    const left = (why: string) => expect.unreachable(`left out: ${why}`);
    await expect(found?.run(() => opened(how), left)).rejects.toMatchObject({
      message: expect.stringMatching(says),
    });
    await expect(found?.run(() => opened({}), left)).resolves.toBeUndefined();
  });
});
