import type { RunEvent } from '../core/event.ts';

/** Milliseconds that a run has been at work, by the times of its events. */
export interface WorkingTime {
  /** Takes the next event, and gives when it was. Never goes back. */
  at(event: RunEvent): number;
}

/** Starts at 0 with the first event. Until somebody resumes it, a run is not at work; an unreadable time is that of the event before. */
export function workingTime(): WorkingTime {
  let last: number | undefined;
  let worked = 0;
  return {
    at({ at, type }) {
      const read = Date.parse(at);
      const now = Number.isNaN(read) ? last : read;
      if (now === undefined) return worked;
      if (last !== undefined && type !== 'run.resumed') worked += Math.max(0, now - last);
      last = now;
      return worked;
    },
  };
}
