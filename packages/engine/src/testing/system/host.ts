import type { Escalation } from '../../core/escalation.ts';
import type { RunEvent } from '../../core/event.ts';
import { type Clock, systemClock } from '../../shell/clock.ts';
import { type RunReport, run } from '../../shell/run.ts';
import type { Transport, WorkOrder } from '../../shell/transport.ts';
import { type Cut, type Fate, fate, mortalJournal, mortalTransport } from './mortal.ts';
import { briefingFor, policyOf, type Story } from './story.ts';
import type { Composition, SystemFixture } from './system-fixture.ts';

export const RUN = 'the run of a story';

/** What all the hosts of one story have done to the world, told from outside of the journal. */
export interface World {
  readonly fixture: SystemFixture;
  readonly story: Story;
  readonly starts: WorkOrder[];
  readonly told: { readonly key: string; readonly escalation: Escalation }[];
  /** What no host may do, as it was done. */
  readonly faults: string[];
}

export const worldOf = (fixture: SystemFixture, story: Story): World => ({
  ...{ fixture, story, starts: [], told: [], faults: [] },
});

/** A host that drives a story. */
export interface Host {
  readonly report: Promise<RunReport>;
  /** As `kill -9` would: no more batches, no more starts, no more ends of workers. */
  kill(): void;
  /** From now on its journal takes nothing more. */
  refuse(): void;
  /** As a person would, who asks it to stop. */
  interrupt(): void;
}

export interface HostOptions {
  readonly cut?: Cut;
  /** It never hears from its workers. */
  readonly deaf?: boolean;
  readonly onEvent?: (event: RunEvent, host: Host) => void;
}

export function startHost(
  world: World,
  { transport, journal }: Composition,
  { cut, deaf = false, onEvent }: HostOptions = {},
): Host {
  const { fixture, story, told } = world;
  const clock: Clock = fixture.clock ?? systemClock;
  const life: Fate = fate();
  const interrupted = new AbortController();
  const report = run(story.tasks, {
    ...{ runId: RUN, clock, policy: policyOf(story), signal: interrupted.signal },
    transport: witnessed(world, mortalTransport(transport, life, deaf), life),
    journal: mortalJournal(journal, life, cut),
    briefing: ({ task, attempt }) => briefingFor(story, task.id, attempt),
    sink: (escalation, key) => {
      if (life.dead) throw new Error('the host is dead');
      told.push({ key, escalation });
    },
    onEvent: (event) => onEvent?.(event, host),
  });
  // Whoever kills a host may not wait for it.
  report.catch(() => undefined);
  const host: Host = {
    report,
    kill() {
      life.die();
      interrupted.abort();
    },
    refuse: life.refuse,
    interrupt: () => interrupted.abort(),
  };
  return host;
}

/** Writes down every start, and what was wrong with it. */
function witnessed(
  { fixture, starts, faults }: World,
  transport: Transport,
  life: Fate,
): Transport {
  return {
    ...transport,
    async start(order, signal) {
      if (life.dead) throw new Error('the host is dead');
      const own = starts.filter(({ task }) => String(task.id) === String(order.task.id));
      starts.push(order);
      if (own.some(({ attempt }) => attempt === order.attempt))
        faults.push(`attempt ${order.attempt} of ${order.task.id} was started twice`);
      // Where nobody can find a worker again, nobody can end it before the next one either.
      if (transport.capabilities.adopt)
        for (const earlier of own)
          if (((await fixture.alive?.(earlier)) ?? 0) > 0)
            faults.push(`two live workers of ${order.task.id}, ${earlier.attempt} among them`);
      return transport.start(order, signal);
    },
  };
}
