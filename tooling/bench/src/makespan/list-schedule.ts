/** Something that takes a known time, once all that it waits for has ended. */
export interface Job {
  readonly key: string;
  readonly ms: number;
  readonly after: readonly string[];
}

/**
 * How long a list schedule takes: whenever a slot is free, the first job of the list that waits for nothing begins.
 * Throws for jobs that wait for each other, or for one that is not in the list.
 */
export function listSchedule(jobs: readonly Job[], slots: number): number {
  const waiting = [...jobs];
  const ended = new Set<string>();
  const running: { readonly key: string; readonly ends: number }[] = [];
  let now = 0;
  while (ended.size < jobs.length) {
    while (running.length < slots) {
      const at = waiting.findIndex(({ after }) => after.every((key) => ended.has(key)));
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (!next) break;
      running.push({ key: next.key, ends: now + next.ms });
    }
    running.sort((a, b) => a.ends - b.ends);
    const first = running.shift();
    if (!first) throw new Error('these jobs wait for each other');
    now = first.ends;
    ended.add(first.key);
  }
  return now;
}

/** The same, of waves of which each waits for the one before it. */
export const listScheduleOfWaves = (waves: readonly (readonly Job[])[], slots: number): number =>
  waves.reduce((sum, wave) => sum + listSchedule(unbound(wave), slots), 0);

/** What a job of a wave waits for has ended with an earlier one. */
const unbound = (wave: readonly Job[]): Job[] => wave.map((job) => ({ ...job, after: [] }));
