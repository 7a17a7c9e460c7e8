import { describe, expect, test } from 'vitest';
import {
  type AttemptHandle,
  type Clock,
  manualClock,
  type Transport,
  type WorkOrder,
} from '../../src/index.ts';
import { type TransportFixture, transportConformance } from '../../src/testing/index.ts';
import { adoptingTransport } from './adopting-transport.ts';
import { type JobTable, jobTable } from './job-table.ts';

interface Scene {
  readonly inner: Transport;
  readonly table: JobTable;
  readonly clock: Clock;
}

type Break = (scene: Scene) => Partial<Transport>;

const never = <T>() => new Promise<T>(() => undefined);

/** A transport whose handles are changed on the way out, adopted ones too. */
const handles =
  (
    change: (handle: AttemptHandle, order: WorkOrder, scene: Scene) => Partial<AttemptHandle>,
  ): Break =>
  (scene) => {
    const changed = (handle: AttemptHandle, order: WorkOrder) => ({
      ...handle,
      ...change(handle, order, scene),
    });
    return {
      start: async (order, signal) => changed(await scene.inner.start(order, signal), order),
      async adopt(order, signal) {
        const found = await scene.inner.adopt?.(order, signal);
        return found && changed(found, order);
      },
    };
  };

const orders =
  (change: (order: WorkOrder, scene: Scene) => WorkOrder): Break =>
  (scene) => ({ start: (order, signal) => scene.inner.start(change(order, scene), signal) });

const adopts =
  (adopt: (order: WorkOrder, scene: Scene) => ReturnType<NonNullable<Transport['adopt']>>): Break =>
  (scene) => ({ adopt: (order) => adopt(order, scene) });

const consumes = (handle: AttemptHandle): Partial<AttemptHandle> => {
  let taken = false;
  return {
    async peek() {
      const seen = await handle.peek();
      if (taken) return undefined;
      taken = seen !== undefined;
      return seen;
    },
  };
};

const sharesByTask = (): Break => {
  const said = new Map<unknown, unknown>();
  return handles((handle, { task }) => ({
    async peek() {
      const seen = (await handle.peek()) ?? said.get(task.id);
      said.set(task.id, seen);
      return seen;
    },
  }));
};

const foldsIds = orders((order) => ({
  ...order,
  task: { ...order.task, id: String(order.task.id).normalize('NFC').toLowerCase().trim() },
}));

/** What is broken, how, and the clause that must catch it. */
const BROKEN: readonly (readonly [what: string, clause: string, how: () => Break])[] = [
  [
    'consumes the reply on peek',
    'peek reads without consuming: the same twice, and the report still has it',
    () => handles(consumes),
  ],
  [
    'makes up a reply',
    'peek shows nothing while there is no reply',
    () => handles(() => ({ peek: async () => ({ status: 'running' }) })),
  ],
  [
    'leaves a child behind on stop',
    'stop leaves no child: when it resolves, nothing lives',
    () => handles(() => ({ stop: async () => undefined })),
  ],
  [
    'reports a reply as the end',
    'no report while the worker lives, though it has replied',
    () =>
      handles((handle, _order, { clock }) => ({
        report: Promise.race([
          handle.report,
          clock
            .sleep(100)
            .then(async () => ({ kind: 'replied', reply: await handle.peek() }) as const),
        ]),
      })),
  ],
  [
    'hangs in stop',
    'stop ends a worker that hangs, and its report settles as a failure',
    () => handles(() => ({ stop: never })),
  ],
  [
    'takes stop once only',
    'stop can be asked for twice, and twice at once',
    () =>
      handles((handle) => {
        let asked = false;
        return {
          async stop(reason) {
            if (asked) throw new Error('it is stopped already');
            asked = true;
            await handle.stop(reason);
          },
        };
      }),
  ],
  [
    'rejects the report of a crash',
    'a worker with the part crash is a failed report, never a rejection',
    () =>
      handles((handle) => ({
        report: handle.report.then((end) => {
          if (end.kind === 'failed') throw new Error(end.detail);
          return end;
        }),
      })),
  ],
  [
    'judges a reply',
    'a reply that can not count is handed over or failed, and never judged',
    () =>
      handles((handle) => ({
        report: handle.report.then((end) =>
          end.kind === 'replied'
            ? { ...end, reply: { ...Object(end.reply), status: 'done' } }
            : end,
        ),
      })),
  ],
  [
    'shares a reply between the attempts of a task',
    'two attempts of one task never see each other’s reply',
    sharesByTask,
  ],
  [
    'folds ids that look alike',
    'tasks with ids that look alike never see each other’s reply',
    () => foldsIds,
  ],
  [
    'mixes up nonces',
    'a nonce that comes back is that of its own order',
    () => orders((order) => ({ ...order, nonce: 'the nonce of all' })),
  ],
  [
    'resolves a start that failed',
    'a start that fails rejects with an Error, and leaves nothing',
    () =>
      ({ inner }) => ({
        start: (order, signal) =>
          inner.start(order, signal).catch(
            (): AttemptHandle => ({
              report: never(),
              peek: never,
              stop: never,
            }),
          ),
      }),
  ],
  [
    'leaves a worker of a start that was called off',
    'a start whose signal aborts before it rejects or can be stopped, and leaves nothing',
    () =>
      ({ inner, table }) => ({
        async start(order, signal) {
          if (!signal.aborted) return inner.start(order, signal);
          table.add(order);
          throw new Error('called off');
        },
      }),
  ],
  [
    'adopts another attempt',
    'adopt: another attempt or another task is never adopted',
    () =>
      adopts(async (order, { inner, table }) => {
        const first = { ...order, attempt: 1 };
        const nonce = table.nonceOf(first) ?? '';
        return inner.adopt?.({ ...first, nonce }, new AbortController().signal);
      }),
  ],
  [
    'adopts whatever the nonce',
    'adopt: another nonce is never adopted',
    () =>
      adopts(async (order, { inner, table }) =>
        inner.adopt?.(
          { ...order, nonce: table.nonceOf(order) ?? '' },
          new AbortController().signal,
        ),
      ),
  ],
  [
    'never finds a worker',
    'adopt: a living worker is found, and its reply arrives',
    () => adopts(async () => undefined),
  ],
  [
    'leaves an adopted worker a whole wall clock, and more',
    'adopt: what is left of its wall clock is more than nothing and at most the order’s',
    () => handles(() => ({ wallClockLeftMs: 9e9 })),
  ],
  [
    'lets a listener break the report',
    'a listener that throws changes nothing',
    () =>
      handles((handle) => {
        let listener: (signal: unknown) => void = () => undefined;
        return {
          subscribe(given) {
            listener = given;
          },
          report: handle.report.then((end) => {
            listener('ended');
            return end;
          }),
        };
      }),
  ],
  [
    'shows no activity',
    'activity is a time that moves on with every sign of life, and never back',
    () => handles(() => ({ activity: () => 1 })),
  ],
  [
    'releases once only',
    'release can be asked for again, and of an attempt that nobody knows',
    () => () => {
      let released = false;
      return {
        async release() {
          if (released) throw new Error('it is released already');
          released = true;
        },
      };
    },
  ],
];

const opened = (how: Break): TransportFixture => {
  const clock = manualClock();
  const table = jobTable(clock);
  const compose = () => {
    const inner = adoptingTransport(table, clock);
    return { transport: { ...inner, ...how({ inner, table, clock }) } };
  };
  return { ...compose(), reopen: compose, clock, alive: table.alive, close() {} };
};

const left = (why: string) => {
  throw new Error(`left out: ${why}`);
};

describe('the kit catches a transport that', () => {
  test.for(BROKEN)('%s: %s', async ([, clause, how]) => {
    const found = transportConformance.find(({ name }) => name === clause);
    await expect(found?.run(() => opened(how()), left)).rejects.toMatchObject({
      message: expect.not.stringContaining('left out'),
    });
  });
});
