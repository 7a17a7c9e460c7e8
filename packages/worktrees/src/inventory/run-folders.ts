import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AttemptRecord } from '../attempt/attempt-record.ts';
import { readScratch, type ScratchRecord } from '../attempt/scratch-record.ts';
import { codeOf } from '../error.ts';

/** The folder of a run of this clone. */
export interface RunFolder {
  /** The name of the folder. */
  readonly run: string;
  readonly runId: string;
  /** Without symbolic links. */
  readonly root: string;
}

/** Lists the folders in `home` that a run wrote its record into; none when there is no such folder. */
export async function listRunFolders(home: string): Promise<RunFolder[]> {
  const found: RunFolder[] = [];
  for (const run of await namesIn(home)) {
    const root = await realpath(join(home, run)).catch(() => join(home, run));
    const record = await readJson(join(root, 'run.json'));
    const { runId } = Object(record) as { readonly runId?: unknown };
    if (typeof runId === 'string') found.push({ run, runId, root });
  }
  return found;
}

/** A worktree that a record of the run tells of. */
export type Recorded =
  | { readonly kind: 'attempt'; readonly record: AttemptRecord; readonly file: string }
  | {
      readonly kind: 'scratch';
      readonly record: ScratchRecord;
      readonly file: string;
      /** The folder of what belongs to it. */
      readonly folder: string;
    };

/** The attempt whose worker a worktree was made for. */
export const tenantOf = ({ kind, record }: Recorded): ScratchRecord['tenant'] =>
  kind === 'attempt' ? record : record.tenant;

/**
 * Lists the worktrees of a run by its records alone. A record that names a path that is not the run’s, or a
 * registration that is not this clone’s, is passed over.
 */
export async function listRecorded(root: string, commonDir: string): Promise<Recorded[]> {
  const isOurs = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }) =>
    String(path).startsWith(join(root, 'wt', '/')) &&
    dirname(String(gitDir)) === join(commonDir, 'worktrees');
  const found: Recorded[] = [];
  const attempts = join(root, 'attempts');
  for (const task of await namesIn(attempts))
    for (const attempt of await namesIn(join(attempts, task))) {
      const file = join(attempts, task, attempt, 'attempt.json');
      const record = (await readJson(file)) as AttemptRecord | undefined;
      if (record && isOurs(record)) found.push({ kind: 'attempt', record, file });
    }
  // A mark that was left over says nothing about an attempt that has come to the same path.
  const taken = new Set(found.map(({ record }) => record.path));
  for (const name of await namesIn(join(root, 'scratch'))) {
    const folder = join(root, 'scratch', name);
    const record = await readScratch(folder).catch(() => undefined);
    const file = join(folder, 'scratch.json');
    if (record && isOurs(record) && !taken.has(record.path))
      found.push({ kind: 'scratch', record, file, folder });
  }
  return found;
}

/** True while git has the worktree under this path. */
export async function isRegistered({
  path,
  gitDir,
}: {
  readonly path: string;
  readonly gitDir: string;
}): Promise<boolean> {
  const registered = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '');
  return registered.replace(/\n$/, '') === join(path, '.git');
}

/** A file in the place of a folder has no names in it; what can not be read is not taken for empty. */
const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
};

/** What is not JSON is nobody’s record. */
const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
};
