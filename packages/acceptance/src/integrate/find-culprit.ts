import type { Offer } from '../workspace.ts';
import type { Link } from './build-chain.ts';
import type { AskGate } from './gate.ts';

/**
 * The first link with which a red chain turns red, by halving. `green` is how many links are known to be green
 * together; with none, the commit below the chain is taken for green, and the caller has to make sure.
 */
export async function findCulprit(
  ask: AskGate,
  links: readonly Link[],
  green: number,
): Promise<number> {
  let good = green;
  let bad = links.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const verdict = await askAbout(ask, links.slice(0, middle));
    if (verdict?.kind === 'red') bad = middle;
    else good = middle;
  }
  return bad - 1;
}

/** Asks about the last of these links; `undefined` when there are none. */
export const askAbout = async (
  ask: AskGate,
  links: readonly Link[],
): Promise<Awaited<ReturnType<AskGate>> | undefined> => {
  const last = links.at(-1);
  return last && ask(last.commit, taskIdsOf(links));
};

const taskIdsOf = (links: readonly Link[]): Offer['taskId'][] =>
  links.map(({ offer }) => offer.taskId);
