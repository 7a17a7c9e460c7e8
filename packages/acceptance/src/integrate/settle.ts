import { AcceptanceError } from '../error.ts';
import { lastWords } from '../output-tail.ts';
import type { Merge, Offer, Workspace } from '../workspace.ts';
import { buildChain, type Link } from './build-chain.ts';
import { askAbout, findCulprit } from './find-culprit.ts';
import type { AskGate, Verdict } from './gate.ts';

/** What is to become of one offer. */
export type Fate =
  | Merge
  | { readonly kind: 'red'; readonly verdict: Extract<Verdict, { kind: 'red' }> };

/** Merges that may be published: from where to where, and what is to become of each offer, by the text of its id. */
export interface Settled {
  readonly from: string;
  readonly to: string;
  readonly fates: ReadonlyMap<string, Fate>;
}

interface Settling {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly offers: readonly Offer[];
  readonly ask?: AskGate;
}

/**
 * Merges in order what goes together and passes the gate. A culprit is left out, and what comes after it is merged
 * anew without it: a conflict with a culprit is none. Throws `BASE_RED` when the gate fails without any of the work.
 */
export async function settle(settling: Settling): Promise<Settled> {
  const { workspace, offers, ask } = settling;
  if (ask) return settleByGate(settling, ask);
  const { onto, tip, merges } = await workspace.propose(offers);
  return { from: onto, to: tip, fates: new Map(merges.map((merge) => [keyOf(merge), merge])) };
}

async function settleByGate(settling: Settling, ask: AskGate): Promise<Settled> {
  const { workspace, offers } = settling;
  const from = await workspace.tip();
  const fates = new Map<string, Fate>();
  let green: readonly Link[] = [];
  let rest = offers;
  for (;;) {
    const chain = await buildChain(settling, rest, green.at(-1)?.commit ?? from);
    for (const merge of chain.merges) fates.set(keyOf(merge), merge);
    const links = [...green, ...chain.links];
    const verdict = await askAbout(ask, links);
    if (verdict?.kind !== 'red') return { from, to: links.at(-1)?.commit ?? from, fates };
    const at = await findCulprit(ask, links, green.length);
    if (at === 0) await assertGreen(ask, from);
    const culprit = links[at];
    const red = await askAbout(ask, links.slice(0, at + 1));
    if (!culprit || red?.kind !== 'red') throw new Error('a red chain without a culprit');
    fates.set(keyOf(culprit.offer), { kind: 'red', verdict: red });
    green = links.slice(0, at);
    rest = offers.slice(offers.indexOf(culprit.offer) + 1);
  }
}

const keyOf = ({ taskId }: Pick<Offer, 'taskId'>): string => String(taskId);

async function assertGreen(ask: AskGate, base: string): Promise<void> {
  const verdict = await ask(base, []);
  if (verdict.kind === 'green') return;
  const words = lastWords(verdict.findings);
  throw new AcceptanceError(
    'BASE_RED',
    `the gate ${verdict.detail} without any work of this wave, so nobody’s work was judged by it${words === '' ? '' : `: ${words}`}`,
    'Make the gate pass on the branch that the run works on, then resume the run.',
  );
}
