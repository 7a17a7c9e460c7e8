import { describe, expect, it } from 'vitest';
import { manualClock } from '../memory/manual-clock.ts';
import { deadlines } from './deadlines.ts';

function setUp() {
  const clock = manualClock();
  const interrupt = new AbortController();
  const over = new AbortController();
  const told: string[] = [];
  const all = deadlines({ clock, interrupt: interrupt.signal, over: over.signal });
  const set = (name: string, ms: number) =>
    all.set(ms, (why) => told.push(`${name} ${why} at ${clock.now()}`));
  return { clock, interrupt, over, told, set };
}

describe('each attempt is told at its own deadline', () => {
  it('whichever was set first', async () => {
    const { clock, told, set } = setUp();
    set('late', 300);
    set('early', 100);
    await clock.advance(50);
    set('middle', 100);
    await clock.advance(1000);
    expect(told).toEqual(['early timeout at 100', 'middle timeout at 150', 'late timeout at 300']);
  });

  it('and not when it was called off, also the one that the clock was waiting for', async () => {
    const { clock, told, set } = setUp();
    const callOff = set('first', 100);
    set('second', 200);
    callOff();
    await clock.advance(1000);
    expect(told).toEqual(['second timeout at 200']);
  });

  it('at an interrupt all at once, and whoever comes later', () => {
    const { interrupt, told, set } = setUp();
    set('a', 100);
    set('b', 200)();
    interrupt.abort();
    set('c', 300);
    expect(told).toEqual(['a interrupted at 0', 'c interrupted at 0']);
  });

  it('and never when the run is over', async () => {
    const { clock, over, told, set } = setUp();
    set('a', 100);
    over.abort();
    set('b', 100);
    await clock.advance(1000);
    expect(told).toEqual([]);
  });

  it('when the sleep has ended, whatever the time of the clock: it does not sleep again', async () => {
    let sleeps = 0;
    const clock = {
      ...manualClock(),
      // Without an end to it, a sleep that is begun anew each time would keep everybody else from running.
      sleep: () => (++sleeps > 100 ? new Promise<void>(() => undefined) : Promise.resolve()),
    };
    const never = new AbortController().signal;
    const all = deadlines({ clock, interrupt: never, over: never });
    const told: string[] = [];
    all.set(200, (why) => told.push(`late ${why}`));
    all.set(100, (why) => told.push(`early ${why}`));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([told, sleeps]).toEqual([['early timeout', 'late timeout'], 3]);
  });
});
