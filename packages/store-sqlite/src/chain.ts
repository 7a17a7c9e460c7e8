import { hash } from 'node:crypto';

/** A place in the chain over the events of one run: the last event before whatever comes next. */
export interface Link {
  /** 0 before the first event. */
  readonly seq: number;
  /** Of that event, in hex; the run's id before the first. */
  readonly hash: string;
}

/** What the first event of a run is chained to. Takes the id as its column has it. */
export const chainStart = (run_id: string): Link => ({ seq: 0, hash: run_id });

/** SHA-256, in hex, over the hash before and an event's text. */
export const chainLink = (before: string, payload: string): string =>
  hash('sha256', `${before}\n${payload}`);
