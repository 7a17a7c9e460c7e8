import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorktreeError } from '../error.ts';
import type { Git } from '../git/git.ts';
import { joinNul, splitNul } from '../git/nul-list.ts';
import { shown, shownNames } from '../shown.ts';

/** Values of an attribute that name no driver. */
const NO_DRIVER: ReadonlySet<string> = new Set(['unspecified', 'unset', 'set']);

/**
 * Throws `FILTER_IN_USE` when files of the commit are stored through a filter (LFS, git-crypt, …) that was not
 * allowed by name. No filter ever runs here: workers would see, and change, what is stored.
 */
export async function assertNoFilters(
  git: Git,
  commonDir: string,
  commit: string,
  allowed: readonly string[],
): Promise<void> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--name-only', commit]);
  const paths = splitNul(stdout);
  const hasAttributes =
    paths.some((path) => /(?:^|\/)\.gitattributes$/.test(path.toString('latin1'))) ||
    /filter/.test(await readFile(join(commonDir, 'info/attributes'), 'latin1').catch(() => ''));
  if (!hasAttributes) return;
  const used = await filtersOf(git, commit, paths);
  for (const name of allowed) used.delete(name);
  const [first] = used;
  if (!first) return;
  const [name, example] = first;
  throw new WorktreeError(
    'FILTER_IN_USE',
    `files of this repository are stored through a filter: ${shownNames([...used.keys()])} (${shown(name)} for ${shown(example)})`,
    'Filters do not run on the host, so workers would get the stored form; if that is fine, allow the filter by its name.',
  );
}

/** Filter names with one path that each is for. Attributes are read from the commit, not from the work tree. */
async function filtersOf(
  git: Git,
  commit: string,
  paths: readonly Buffer[],
): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-attributes-'));
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    await git(['read-tree', commit], { env });
    const { stdout } = await git(['check-attr', '--cached', '-z', '--stdin', 'filter'], {
      env,
      input: joinNul(paths),
    });
    const used = new Map<string, string>();
    const fields = splitNul(stdout).map(String);
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [path = '', , value = ''] = fields.slice(at, at + 3);
      if (!NO_DRIVER.has(value) && !used.has(value)) used.set(value, path);
    }
    return used;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
