import { printable } from '@atelier/envelope';
import { runBranch } from '@atelier/worktrees';
import { type Command, UsageError } from '../command.ts';
import { takeoverMessage, takeoverOf } from '../compose/take-over.ts';
import { workNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier merge [RUN] [--no-ff] [--repo DIR]

Merges what a run has on its branch into the branch that is checked out: the latest run, or the one that is named.
Where that is possible the branch just moves forward; --no-ff makes a merge commit in any case. Where an edit, an
untracked or an ignored file is in the way, nothing is changed.
`;

/** `atelier merge`: git's own merge would write over files that git ignores. */
export const merge: Command = {
  async run(args, { stdout }, environment) {
    const given = parseProjectArguments('merge', args, ['no-ff']);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    const [name, ...more] = given.positionals;
    if (more.length > 0) throw new UsageError('merge takes one RUN', 'See atelier status --all.');
    return withProject(given, environment, async (project) => {
      const { repository, store } = project;
      const { run_id: runId } = workNamed(store, given.run ?? name);
      const { branch } = takeoverOf('ff', repository);
      const request = { commit: runBranch(runId), branch, message: takeoverMessage(runId) };
      const forward = given.flags.has('no-ff')
        ? undefined
        : await repository.mergeIntoCheckout({ ...request, mode: 'ff' });
      const merged =
        forward?.kind === 'merged'
          ? forward
          : await repository.mergeIntoCheckout({ ...request, mode: 'no-ff' });
      if (merged.kind === 'refused')
        throw new HostError(
          'NOT_MERGED',
          `run ${runId} was not merged into ${branch}: ${merged.why}`,
          'Nothing was changed. Put away what is in the way, and merge again.',
        );
      stdout.write(
        `Merged run ${printable(runId)} into ${printable(branch)}, now at ${merged.commit.slice(0, 12)}.\n`,
      );
      return 0;
    });
  },
};
