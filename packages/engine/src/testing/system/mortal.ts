import type { Journal } from '../../shell/journal.ts';
import type { AttemptHandle, AttemptReport, Transport } from '../../shell/transport.ts';

/** What has befallen a host. Nothing that it does after its death has any effect. */
export interface Fate {
  readonly dead: boolean;
  /** Its journal takes nothing more. */
  readonly refused: boolean;
  /** Resolves once it is dead. */
  readonly death: Promise<void>;
  die(): void;
  refuse(): void;
}

export function fate(): Fate {
  let dead = false;
  let refused = false;
  let die: () => void = () => undefined;
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  return {
    death,
    get dead() {
      return dead;
    },
    get refused() {
      return refused;
    },
    die() {
      dead = true;
      die();
    },
    refuse() {
      refused = true;
    },
  };
}

/**
 * Where the story of a host is cut: at its n-th batch. `before`: killed with the batch unwritten. `after`: killed with
 * the batch written, and nothing done about it. `refused`: the host lives on with a journal that takes nothing more.
 */
export interface Cut {
  readonly batch: number;
  readonly when: 'before' | 'after' | 'refused';
}

/** A journal that is cut off. */
export function mortalJournal(journal: Journal, host: Fate, cut: Cut | undefined): Journal {
  let batches = 0;
  return {
    load: (runId) => journal.load(runId),
    async append(batch) {
      if (host.dead || host.refused) throw new Error('the journal is out of reach');
      batches += 1;
      if (cut?.batch !== batches) return journal.append(batch);
      if (cut.when === 'after') await journal.append(batch);
      if (cut.when === 'refused') host.refuse();
      else host.die();
      throw new Error(`cut at batch ${batches}, ${cut.when}`);
    },
  };
}

/**
 * Workers that outlive their host: one that is dead ends nobody and starts nobody. One that is `deaf` is always killed
 * before it has heard from its workers.
 */
export function mortalTransport(transport: Transport, host: Fate, deaf: boolean): Transport {
  const { name, capabilities } = transport;
  const assertAlive = () => {
    if (host.dead) throw new Error('the host is dead');
  };
  return {
    ...{ name, capabilities },
    async start(order, signal) {
      assertAlive();
      return mortalHandle(await transport.start(order, signal), host, deaf);
    },
    async adopt(order, signal) {
      assertAlive();
      const found = await transport.adopt?.(order, signal);
      return found && mortalHandle(found, host, deaf);
    },
    async release(attempt) {
      if (!host.dead) await transport.release?.(attempt);
    },
  };
}

/** Member by member: a handle may be an instance of a class. */
function mortalHandle(handle: AttemptHandle, host: Fate, deaf: boolean): AttemptHandle {
  const { worker, wallClockLeftMs } = handle;
  // A dead host that still waited for its workers would keep the next one from finding them alive.
  const nothing = host.death.then(
    (): AttemptReport => ({ kind: 'failed', cause: 'lost', detail: 'the host is dead' }),
  );
  return {
    report: deaf ? nothing : Promise.race([handle.report, nothing]),
    peek: async () => (deaf ? undefined : handle.peek()),
    stop: async (reason) => {
      if (!host.dead) await handle.stop(reason);
    },
    subscribe: (listener) => handle.subscribe?.(listener),
    ...(handle.activity ? { activity: () => handle.activity?.() ?? Number.NaN } : {}),
    ...(worker === undefined ? {} : { worker }),
    ...(wallClockLeftMs === undefined ? {} : { wallClockLeftMs }),
  };
}
