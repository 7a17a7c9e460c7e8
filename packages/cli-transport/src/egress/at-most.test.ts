import { expect, it } from 'vitest';
import { atMost } from './at-most.ts';

it('no more than two run at once, and a failure gives its place on as well', async () => {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const run = atMost(2, async (given: number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    if (given % 2 === 0) throw new Error('failed');
    return given;
  });
  const all = Promise.allSettled([1, 2, 3, 4, 5].map(run));
  for (let ended = 0; ended < 5; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
  }
  const statuses = (await all).map(({ status }) => status === 'fulfilled');
  expect(statuses).toEqual([true, false, true, false, true]);
  expect([most, running]).toEqual([2, 0]);
  ends.length = 0;
  const again = run(7);
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()?.();
  expect(await again).toBe(7);
});
