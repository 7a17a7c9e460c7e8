import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readAttempt } from './attempt/attempt-record.ts';
import { attemptRef } from './attempt/attempt-ref.ts';
import { carve, findCarved } from './attempt/carve.ts';
import { checkout, reopen } from './attempt/checkout.ts';
import { SAVING } from './attempt/keep.ts';
import { release } from './attempt/release.ts';
import { remove } from './attempt/remove.ts';
import { salvage } from './attempt/salvage.ts';
import { unchanged } from './attempt/unchanged.ts';
import { changeSet } from './content/change-set.ts';
import { openContentGit } from './content/content-git.ts';
import { facts } from './content/facts.ts';
import { hasLinks } from './content/has-links.ts';
import { objectsAt } from './content/objects-at.ts';
import { treeOf } from './content/tree-of.ts';
import { assertPatterns } from './equip/assert-patterns.ts';
import { selected } from './equip/selected.ts';
import { WorktreeError } from './error.ts';
import type { Git } from './git/git.ts';
import { keepAsking } from './git/keep-asking.ts';
import { objectReader } from './git/object-reader.ts';
import { oneAtATime } from './git/one-at-a-time.ts';
import { refSteps } from './git/ref-steps.ts';
import { assertMerged } from './integration/assert-merged.ts';
import { contains } from './integration/contains.ts';
import { integrate } from './integration/integrate.ts';
import { commitOf, moveRef, tipOf } from './integration/integration-branch.ts';
import { conflicts, propose } from './integration/propose.ts';
import { publish } from './integration/publish.ts';
import { tidy } from './inventory/tidy.ts';
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
  assertPatterns(request.equipment);
  const root = await rootOutside([topLevel, commonDir], request.root);
  const run = safeRunName(runId);
  const branch = runBranch(runId);
  const known = await readRun(root, runId);
  const base = known?.base ?? (await createBranch(refs, branch, head));
  if (known) await tipOf({ refs, branch, commonDir });
  else await writeRun(root, { runId, base });
  const content = await openContentGit({ topLevel, commonDir, root });
  const serially = oneAtATime();
  const place = { gitDir: commonDir, workTree: topLevel, cwd: topLevel };
  const [names, saving] = [objectReader(place), keepAsking(place, refSteps(SAVING))];
  const { equipment, setUp } = request;
  const site: Site = {
    ...{ topLevel, commonDir, root, run, runId, branch, refs },
    ...{ names, saving, content, serially, warn },
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
    salvage: (worktree, message, options) => salvage(site, worktree, message, options),
    saved: async ({ taskId, attempt }) => (await readAttempt(root, taskId, attempt))?.saved,
    savedRef: async ({ taskId, attempt }) => {
      const saved = (await readAttempt(root, taskId, attempt))?.saved;
      return saved?.commit === undefined ? undefined : attemptRef(run, taskId, attempt);
    },
    changeSet: (attempt) => changeSet(site, attempt),
    unchanged: (attempt) => unchanged(site, attempt),
    remove: (worktree) => remove(site, worktree),
    release: (attempt) => release(site, attempt),
    objectsAt: (commit, paths) => objectsAt(content.reader, commit, paths),
    hasLinks: (commit, folders) => hasLinks(content.objects, commit, folders),
    equipped: () => selected(site, equipment),
    contains: (commit) => contains(site, commit),
    assertMerged: (merged) => assertMerged(site, merged),
    tree: (commit) => treeOf(content.reader, commit),
    facts: (commit, paths) => facts(site, commit, paths),
    conflicts: (commit, against) => conflicts(site, commit, against),
    propose: (offers, onto) => propose(site, offers, { onto }),
    publish: (step) => publish(site, step),
    integrate: (offers, signal) => integrate(site, offers, signal),
    async tidy(isAtLarge) {
      await tidy(site, isAtLarge);
      for (const kept of [names, saving, content]) kept.rest();
    },
    checkout: (commit, signal, tenant) => checkout(site, commit, { signal, tenant }),
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
  const record = recordIn(text);
  if (!record)
    throw new WorktreeError(
      'RUN_RECORD_DAMAGED',
      `${shown(join(root, 'run.json'))} is no record of a run`,
      'Put it back, or start another run; the work of this one is on its branch and in atelier salvage.',
    );
  if (record.runId === runId) return record;
  throw new WorktreeError(
    'ROOT_IN_USE',
    `${shown(root)} belongs to run ${shown(record.runId)}`,
    'Give each run a folder of its own.',
  );
}

function recordIn(text: string): RunRecord | undefined {
  try {
    const { runId, base } = Object(JSON.parse(text)) as Partial<RunRecord>;
    return typeof runId === 'string' && typeof base === 'string' ? { runId, base } : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all: a run without it can not go on. */
async function writeRun(root: string, record: RunRecord): Promise<void> {
  const file = join(root, 'run.json');
  await writeFile(`${file}.new`, JSON.stringify(record), { flush: true });
  await rename(`${file}.new`, file);
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
