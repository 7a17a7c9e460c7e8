import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContentGit, openContentGit } from '../content/content-git.ts';
import { type Git, gitAt } from '../git/git.ts';
import type { Repository } from '../repository.ts';

/** The clone that holds the refs. */
export type Clone = Pick<Repository, 'topLevel' | 'commonDir' | 'head'>;

export interface Tools {
  /** Git on the clone: for refs alone. */
  readonly refs: Git;
  /** Git on content, with a git dir that is made for this and goes with it. */
  readonly content: ContentGit;
  /** A folder that goes, too. */
  readonly draft: string;
}

export async function withContent<T>(
  { topLevel, commonDir }: Clone,
  work: (tools: Tools) => Promise<T>,
): Promise<T> {
  const draft = await mkdtemp(join(tmpdir(), 'atelier-rescue-'));
  try {
    const refs = gitAt({ gitDir: commonDir, workTree: topLevel, cwd: topLevel });
    const content = await openContentGit({ topLevel, commonDir, root: draft });
    return await work({ refs, content, draft });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
