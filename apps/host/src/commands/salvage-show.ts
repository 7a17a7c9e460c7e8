import { jsonLine, renderSalvage } from '@atelier/reporters';
import { listSalvage, showSalvage } from '@atelier/worktrees';
import { type Command, UsageError } from '../command.ts';
import { parseSalvageArguments } from './salvage-arguments.ts';
import { openClone } from './salvage-clone.ts';
import { pickRef } from './salvage-pick.ts';

const HELP = `Usage: atelier salvage show TASK|REF [--attempt N] [--run RUN] [--patch] [--json] [--repo DIR]

Shows what an attempt changed: the last attempt of the task in the run that saved work of it last, unless told
otherwise. Control characters are shown, not obeyed.

  --attempt N  that attempt
  --run RUN    of that run
  --patch      the patch too, at most 4 MB of it
  --json       one JSON object
  --repo DIR   a folder of the clone; the current one when absent
`;

const PATCH_BYTES = 4_000_000;

export const salvageShow: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseSalvageArguments('show', args, ['attempt', 'patch', 'json']);
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  const [named, ...more] = given.positionals;
  if (more.length > 0)
    throw new UsageError('salvage show takes one TASK or REF', 'Show them one by one.');
  const repository = await openClone(given.repo, environment);
  const all = await listSalvage(repository);
  const ref = pickRef(all, { ...given, named });
  const options = given.patch ? { patchBytes: PATCH_BYTES } : {};
  const work = await showSalvage(repository, ref, options);
  const beside = all.find((one) => one.ref === `${ref}-after`)?.ref;
  stdout.write(
    given.json ? jsonLine({ version: 1, ...work, beside }) : renderSalvage({ ...work, beside }),
  );
  return 0;
};
