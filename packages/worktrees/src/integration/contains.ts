import type { Site } from '../site.ts';
import { tipOf } from './integration-branch.ts';

/** 1: it is in another history. 128: there is no such commit here. */
const ANSWERS = [0, 1, 128];

/** Whether the branch has a commit in its history. What is no full name of a commit is not looked for. */
export async function contains(site: Site, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/u.test(commit)) return false;
  const ask = ['merge-base', '--is-ancestor', commit, await tipOf(site)] as const;
  return (await site.content.objects(ask, { answers: ANSWERS })).exitCode === 0;
}
