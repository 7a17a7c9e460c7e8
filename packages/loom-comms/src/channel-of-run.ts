import { shortHash, slug } from './slug.ts';

const LONGEST = 64;

/** The channel of a run: `cycle-<run>`. An id that a channel can not be named after is cut, and told apart by a hash. */
export function channelOfRun(runId: string): string {
  const plain = `cycle-${runId}`;
  if (slug(plain) === plain && plain.length < LONGEST) return plain;
  return `cycle-${slug(runId).slice(0, 40).toWellFormed()}-${shortHash(runId)}`;
}
