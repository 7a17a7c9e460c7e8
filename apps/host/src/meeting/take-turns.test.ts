import { holdMeeting, memoryWire, openMeeting } from '@atelier/team-behaviors';
import { expect, test } from 'vitest';
import { turnTaking } from './take-turns.ts';

const CAPS = { wallClockMs: 3_600_000, messages: 200 };

/** Members speak, each in the time that it takes; nothing said is a turn that failed. */
function table(minutes: Readonly<Record<string, number>>, caps = CAPS) {
  let at = 0;
  const wire = memoryWire({ now: () => at });
  const asked: string[] = [];
  const given: number[] = [];
  const hold = (answer: (who: string, stop: () => void) => object | undefined, rounds = 1) => {
    const stop = new AbortController();
    const { signal } = stop;
    const meeting = openMeeting({
      ...{ wire, teamId: 't', chair: 'lead', members: ['be', 'fe'], now: () => at, caps },
    });
    const ask = turnTaking({
      ...{ meeting, caps, now: () => at, isStopped: () => signal.aborted },
      speak: async ({ speaker, round }, wallClockMs) => {
        asked.push(`${speaker} ${round}`);
        given.push(wallClockMs);
        at += Math.min(wallClockMs, (minutes[speaker] ?? 0) * 60_000);
        return answer(speaker, () => stop.abort());
      },
    });
    return holdMeeting({ meeting, topic: 'tea', ask, rounds, signal }).then((held) => ({
      ...{ held, said: meeting.transcript().map(({ body }) => String(body?.['says'])) },
    }));
  };
  return { asked, given, hold };
}

test('H3: after an hour the minutes are PARTIAL, also where the last ones did not speak, and nobody is started', async () => {
  const { hold, asked, given } = table({ be: 10, fe: 10 });
  const { held, said } = await hold((who) => (who === 'be' ? { says: 'x' } : undefined), 20);
  expect(held).toMatchObject({ minutes: { partial: true, partialReason: 'wall_clock' } });
  expect(asked).toEqual(['be 1', 'fe 1', 'be 2', 'fe 2', 'be 3', 'fe 3']);
  // No turn takes longer than the meeting may.
  expect(given).toEqual(Array(6).fill(600_000));
  expect(said).not.toContain('fe missed its turn in round 3.');
});

test('the last turn has what is left of the hour, and never less than a second', async () => {
  const { hold, given } = table({ be: 10, fe: 10 }, { ...CAPS, wallClockMs: 600_400 });
  await hold(() => ({ says: 'x' }));
  expect(given).toEqual([600_000, 1000]);
});

test('H3: at the last message the minutes are PARTIAL, and nobody is started for one too many', async () => {
  const { hold, asked } = table({}, { ...CAPS, messages: 3 });
  const { held } = await hold(() => ({ says: 'x' }), 5);
  expect(held).toMatchObject({ minutes: { partialReason: 'message_count', messageCount: 3 } });
  expect(asked).toEqual(['be 1', 'fe 1']);
});

test('a missed turn is told in the words of the host alone, and is not asked for again; one that was stopped is', async () => {
  const { hold, asked } = table({});
  const stopped = await hold((who, stop) => {
    if (who === 'fe') stop();
    return undefined;
  });
  expect(stopped.held).toEqual({ kind: 'stopped' });
  const { said } = await hold(() => ({ says: 'x' }));
  expect(said).toEqual(['tea', 'be missed its turn in round 1.', 'x']);
  expect(asked).toEqual(['be 1', 'fe 1', 'fe 1']);
});
