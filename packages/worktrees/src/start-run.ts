import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readAttempt } from './attempt/attempt-record.ts';
import { attemptRef } from './attempt/attempt-ref.ts';
import { carve, findCarved } from './attempt/carve.ts';
import { checkout, reopen } from './attempt/checkout.ts';
import { release } from './attempt/release.ts';
import { remove } from './attempt/remove.ts';
import { salvage } from './attempt/salvage.ts';
import { unchanged } from './attempt/unchanged.ts';
import { changeSet } from './content/change-set.ts';
import { openContentGit } from './content/content-git.ts';
import { facts } from './content/facts.ts';
import { WorktreeError } from './error.ts';
import type { Git } from './git/git.ts';
import { oneAtATime } from './git/one-at-a-time.ts';
import { integrate } from './integration/integrate.ts';
import { commitOf, moveRef, tipOf } from './integration/integration-branch.ts';
import { conflicts, propose } from './integration/propose.ts';
import { publish } from './integration/publish.ts';
import type { Run, RunRequest } from './run.ts';
import { runBranch, safeRunName } from './safe-name.ts';
import { shown } from './shown.ts';
import type { Site } from './site.ts';

interface Clone {
  readonly topLevel: string;
  readonly commonDir: string;
  readonly head: string;
  readonly refs: Git;
}

/** The run that a root belongs to. */
interface RunRecord {
  readonly runId: string;
  readonly base: string;
}

export async function startRun(clone: Clone, request: RunRequest): Promise<Run> {
  const { commonDir, refs, head, topLevel } = clone;
  const { runId, warn = () => undefined } = request;
  const root = await rootOutside([topLevel, commonDir], request.root);
  const run = safeRunName(runId);
  const branch = runBranch(runId);
  const known = await readRun(root, runId);
  const base = known?.base ?? (await createBranch(refs, branch, head));
  if (known) await tipOf({ refs, branch });
  else await writeFile(join(root, 'run.json'), JSON.stringify({ runId, base }));
  const content = await openContentGit({ refs, commonDir, root });
  const serially = oneAtATime();
  const { equipment, setUp } = request;
  const site: Site = {
    ...{ topLevel, commonDir, root, run, runId, branch, refs, content, serially, warn },
    ...(equipment && { equipment }),
    ...(setUp && { setUp }),
  };
  return {
    id: runId,
    branch,
    base,
    root,
    warn,
    tip: () => tipOf(site),
    carve: (request, signal) => carve(site, request, signal),
    find: (attempt) => findCarved(site, attempt),
    salvage: (worktree, message) => salvage(site, worktree, message),
    saved: async ({ taskId, attempt }) => (await readAttempt(root, taskId, attempt))?.saved,
    savedRef: async ({ taskId, attempt }) => {
      const saved = (await readAttempt(root, taskId, attempt))?.saved;
      return saved?.commit === undefined ? undefined : attemptRef(run, taskId, attempt);
    },
    changeSet: (attempt) => changeSet(site, attempt),
    unchanged: (attempt) => unchanged(site, attempt),
    remove: (worktree) => remove(site, worktree),
    release: (attempt) => release(site, attempt),
    facts: (commit, paths) => facts(site, commit, paths),
    conflicts: (commit, against) => conflicts(site, commit, against),
    propose: (offers, onto) => propose(site, offers, { onto }),
    publish: (step) => publish(site, step),
    integrate: (offers, signal) => integrate(site, offers, signal),
    checkout: (commit, signal) => checkout(site, commit, signal),
    reopen: (name) => reopen(site, name),
  };
}

async function rootOutside(clone: readonly string[], asked: string): Promise<string> {
  await mkdir(asked, { recursive: true, mode: 0o700 });
  const root = await realpath(resolve(asked));
  if (!clone.some((folder) => root === folder || root.startsWith(join(folder, '/')))) return root;
  throw new WorktreeError(
    'ROOT_INSIDE_CLONE',
    `${shown(root)} is inside the clone`,
    'Choose a folder outside: workers and build tools would find each other’s files.',
  );
}

async function readRun(root: string, runId: string): Promise<RunRecord | undefined> {
  const text = await readFile(join(root, 'run.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const record = JSON.parse(text) as RunRecord;
  if (record.runId === runId) return record;
  throw new WorktreeError(
    'ROOT_IN_USE',
    `${shown(root)} belongs to run ${shown(record.runId)}`,
    'Give each run a folder of its own.',
  );
}

/** The branch at `head`: made, or found there untouched. */
async function createBranch(refs: Git, branch: string, head: string): Promise<string> {
  const to = { from: undefined, to: head, why: 'atelier: start' };
  if (await moveRef({ refs }, branch, to)) return head;
  const found = await commitOf({ refs }, branch);
  if (found === head) return head;
  throw new WorktreeError(
    'RUN_BRANCH_EXISTS',
    `${branch} exists, at ${found ?? 'no commit'}, and this run did not make it`,
    'Choose another run id, or rename that branch.',
  );
}
