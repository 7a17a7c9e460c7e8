import assert from 'node:assert/strict';
import type { RunEvent } from '../../core/event.ts';
import type { RunReport } from '../../shell/run.ts';
import { type ConformanceCase, conformanceCase, type Open } from '../conformance-case.ts';
import type { Patience } from '../patience.ts';
import { lackOf, type Needs } from '../transport/transport-fixture.ts';
import { assertSound } from './assert-sound.ts';
import { type Host, type HostOptions, RUN, startHost, type World, worldOf } from './host.ts';
import { partsOf, type Story } from './story.ts';
import type { Composition, SystemFixture } from './system-fixture.ts';

/** A story on one fixture. */
export interface Drama {
  readonly world: World;
  readonly wait: Patience;
  readonly open: Open<SystemFixture>;
  /** A host over what the fixture hands over. */
  host(options?: HostOptions): Host;
  /** What comes after a host that was killed. */
  next(): Promise<Composition>;
  /** Lets a host of a story come to its end, holds all of it to what holds for every run, and gives the record. */
  ended(host: Host, composition?: Composition): Promise<Ended>;
  /** Where the fixture can tell: that no worker of the story lives. */
  gone(): Promise<void>;
}

export interface Ended {
  readonly report: RunReport;
  readonly events: readonly RunEvent[];
}

export function dramaOf(
  fixture: SystemFixture,
  story: Story,
  { wait, open }: { readonly wait: Patience; readonly open: Open<SystemFixture> },
): Drama {
  const world = worldOf(fixture, story);
  return {
    ...{ world, wait, open },
    host: (options) => startHost(world, fixture, options),
    async next() {
      const again = await fixture.reopen?.();
      assert(again, 'the fixture has no reopen');
      return again;
    },
    async ended(host, { journal } = fixture) {
      const report = await wait.within('the end of the run', host.report);
      const events = await journal.load(RUN);
      assertSound(world, events, report);
      return { report, events };
    },
    async gone() {
      if (fixture.transport.capabilities.stop === 'detaches') return;
      for (const order of world.starts)
        assert.equal(
          (await fixture.alive?.(order)) ?? 0,
          0,
          `nothing of ${order.task.id}/${order.attempt} lives`,
        );
    },
  };
}

/** What a story needs beside workers that can play it. */
export interface StoryNeeds extends Omit<Needs, 'parts'> {
  readonly reopen?: true;
}

/** A case that tells a story. */
export const storyCase = (
  name: string,
  story: Story,
  prove: (drama: Drama) => Promise<void>,
  { reopen, ...needs }: StoryNeeds = {},
): ConformanceCase<SystemFixture> =>
  conformanceCase({
    name,
    leftOut: (fixture) =>
      lackOf(fixture, { ...needs, parts: partsOf(story) }) ??
      (reopen && !fixture.reopen ? 'the fixture has no reopen' : undefined),
    prove: (fixture, wait, open) => prove(dramaOf(fixture, story, { wait, open })),
  });
