import { describe, expect, it } from 'vitest';
import { replyFor } from '../../test/scenario.ts';
import { run } from '../shell/run.ts';
import { manualClock } from './manual-clock.ts';
import { pollingTransport } from './polling-transport.ts';

const TASKS = [{ id: 'a', parallel_group: 1 }];

describe('pollingTransport keeps the two functions of the polled seam', () => {
  it.each(['spawn', 'poll'])('a missing %s throws NOT_IMPLEMENTED naming it', (missing) => {
    const seams = { spawn: () => undefined, poll: () => null, [missing]: undefined };
    expect(() => pollingTransport(seams)).toThrow(
      expect.objectContaining({
        code: 'NOT_IMPLEMENTED',
        message: expect.stringContaining(missing),
      }),
    );
  });

  it('a run without a transport throws NOT_IMPLEMENTED naming it', async () => {
    await expect(run(TASKS, {} as never)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
      message: expect.stringContaining('transport'),
    });
  });

  it('scans every 0.2 s, reads once more at the deadline, and stops scanning then', async () => {
    const clock = manualClock();
    const polls: number[] = [];
    const transport = pollingTransport({
      clock,
      spawn: () => undefined,
      poll: () => {
        polls.push(clock.now());
        return null;
      },
    });
    const policy = { maxAttempts: 1, wallClockMs: 1000 };
    await clock.runUntil(run(TASKS, { transport, clock, policy, sink: () => undefined }));
    await clock.advance(5000);
    expect(polls.slice(0, 5)).toEqual([0, 200, 400, 600, 800]);
    expect(polls.filter((at) => at > 800).length).toBeLessThanOrEqual(2);
    expect(polls.filter((at) => at > 1000)).toEqual([]);
  });

  it('a poll that throws is a failed attempt, and siblings go on', async () => {
    const clock = manualClock();
    const transport = pollingTransport({
      clock,
      spawn: () => undefined,
      poll: ({ id }, attempt) => {
        if (id === 'a' && attempt === 1) throw new Error('table is locked');
        return replyFor('done', id, attempt);
      },
    });
    const tasks = [...TASKS, { id: 'b', parallel_group: 1 }];
    const report = await clock.runUntil(run(tasks, { transport, clock }));
    expect(report.outcomes).toMatchObject([
      { kind: 'done', attempts: 2 },
      { kind: 'done', attempts: 1 },
    ]);
  });

  it('says honestly whether stopping kills', async () => {
    const seams = { spawn: () => undefined, poll: () => null };
    expect(pollingTransport(seams).capabilities.stop).toBe('detaches');
    const cancelled: string[] = [];
    const clock = manualClock();
    const transport = pollingTransport({
      ...seams,
      clock,
      cancel: ({ id }, attempt) => cancelled.push(`${id}/${attempt}`),
    });
    expect(transport.capabilities.stop).toBe('kills');
    const policy = { maxAttempts: 2, wallClockMs: 1000 };
    await clock.runUntil(run(TASKS, { transport, clock, policy, sink: () => undefined }));
    expect(cancelled).toEqual(['a/1', 'a/2']);
  });
});
