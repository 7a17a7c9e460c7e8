import { WorktreeError } from '../error.ts';
import { isObjectName } from '../git/object-name.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import { assertNotCheckedOut, moveRef, tipOf } from './integration-branch.ts';

/** A step of the integration branch. */
export interface Step {
  readonly from: string;
  readonly to: string;
}

export const publish = (site: Site, step: Step): Promise<boolean> =>
  site.serially(async () => {
    if (step.from !== step.to) await assertForward(site, step);
    return advance(site, step);
  });

/** Takes it that the step is one forward. To be called serially. */
export async function advance(site: Site, { from, to }: Step): Promise<boolean> {
  await assertNotCheckedOut(site);
  if (from === to) return (await tipOf(site)) === from;
  return moveRef({ refs: site.refs }, site.branch, { from, to, why: 'atelier: integrate' });
}

/** Any other step would take merged work off the branch. */
async function assertForward({ branch, content }: Site, { from, to }: Step): Promise<void> {
  const ask = async () => {
    const question = ['merge-base', '--is-ancestor', from, to] as const;
    return (await content.objects(question, { answers: [0, 1] })).exitCode === 0;
  };
  const isKnowable = isObjectName(from) && isObjectName(to);
  if (await (isKnowable ? content.descents.of(`${from} ${to}`, ask) : ask())) return;
  throw new WorktreeError(
    'NOT_FORWARD',
    `${shown(to)} does not contain ${shown(from)}, so ${branch} was not moved`,
    'Publish the tip of a proposal onto the commit that it started from.',
  );
}
