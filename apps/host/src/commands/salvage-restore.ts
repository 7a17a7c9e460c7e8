import { resolve } from 'node:path';
import { renderRestored } from '@atelier/reporters';
import { listSalvage, restoreSalvage } from '@atelier/worktrees';
import { type Command, UsageError } from '../command.ts';
import { parseSalvageArguments } from './salvage-arguments.ts';
import { openClone } from './salvage-clone.ts';
import { pickRef } from './salvage-pick.ts';

const HELP = `Usage: atelier salvage restore TASK|REF (--branch NAME | --to DIR) [--attempt N] [--run RUN] [--repo DIR]

Gives saved work back as something new: a branch, or a folder of files outside the clone. Your checkout is not
touched, and nothing that is there is written over. Which work is meant is as in atelier salvage show.

  --branch NAME  a new branch
  --to DIR       a new folder, in one that exists
  --attempt N    that attempt
  --run RUN      of that run
  --repo DIR     a folder of the clone; the current one when absent
`;

export const salvageRestore: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseSalvageArguments('restore', args, ['attempt', 'branch', 'to']);
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  const [named, ...more] = given.positionals;
  if (more.length > 0)
    throw new UsageError('salvage restore takes one TASK or REF', 'Restore them one by one.');
  const place = placeOf(given, environment.cwd);
  const repository = await openClone(given.repo, environment);
  const all = await listSalvage(repository);
  const ref = pickRef(all, { ...given, named });
  const restored = await restoreSalvage(repository, { ref, ...place });
  const base = all.find((one) => one.ref === ref)?.base;
  stdout.write(renderRestored(restored, { base, clone: repository.topLevel }));
  return 0;
};

function placeOf(
  { branch, to }: { readonly branch: string | undefined; readonly to: string | undefined },
  cwd: string,
): { readonly branch: string } | { readonly to: string } {
  if (branch !== undefined && to === undefined) return { branch };
  if (to !== undefined && branch === undefined) return { to: resolve(cwd, to) };
  throw new UsageError(
    'salvage restore needs either --branch NAME or --to DIR',
    'See atelier salvage restore --help.',
  );
}
