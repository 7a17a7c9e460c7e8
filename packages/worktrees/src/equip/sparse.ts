import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gitAt } from '../git/git.ts';
import { checkoutDir } from './checkout-dir.ts';
import type { EquipSite, Place } from './equip.ts';

const KEYS = ['core.sparseCheckout', 'core.sparseCheckoutCone'] as const;

/**
 * Gives the worktree’s own git dir the sparse set of the checkout that the run started from, so that git inside
 * agrees with what is there. Git itself copies that of the clone’s main checkout. The clone’s config is only read.
 */
export async function alignSparse(site: EquipSite, { gitDir }: Place): Promise<void> {
  const { commonDir, topLevel } = site;
  const checkout = await checkoutDir(site);
  if (checkout === commonDir) return;
  const there = gitAt({ gitDir: checkout, workTree: topLevel });
  const [extension, ...values] = await Promise.all(
    ['extensions.worktreeConfig', ...KEYS].map(async (key) => {
      const { text } = await there(['config', '--type=bool', '--get', key], { answers: [0, 1] });
      return text === 'true';
    }),
  );
  // Without the extension all checkouts of the clone share these settings.
  if (extension)
    for (const [at, key] of KEYS.entries())
      await there(['config', '--file', join(gitDir, 'config.worktree'), key, String(values[at])]);
  if (!values[0]) return;
  await mkdir(join(gitDir, 'info'), { recursive: true });
  await copyFile(
    join(checkout, 'info/sparse-checkout'),
    join(gitDir, 'info/sparse-checkout'),
  ).catch(() => undefined);
}
