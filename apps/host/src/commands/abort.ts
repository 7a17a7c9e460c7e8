import { type Command, UsageError } from '../command.ts';
import { sendAbort } from '../compose/control.ts';
import { runFolder } from '../compose/run-folder.ts';
import { runToResume } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier abort --soft|--hard [RUN] [--repo DIR]

Ends a run from any terminal. --soft dispatches nothing more and lets the workers finish; --hard ends the
workers and saves what they did. Either way the run can be resumed.
`;

/** `atelier abort`: tells the host of a run to end it. */
export const abort: Command = {
  async run(args, { stdout }, environment) {
    const given = parseProjectArguments('abort', args, ['soft', 'hard']);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    if (given.flags.has('soft') === given.flags.has('hard'))
      throw new UsageError('abort needs --soft or --hard', 'See atelier abort --help.');
    return withProject(given, environment, async (project) => {
      const { run_id } = runToResume(project.store, given.run ?? given.positionals[0]);
      const mode = given.flags.has('hard') ? 'hard' : 'soft';
      if (
        !(await sendAbort(
          await runFolder(
            project,
            run_id,
            given.stateDir === undefined ? undefined : project.stateHome,
          ),
          mode,
        ))
      )
        throw new HostError(
          'NO_HOST',
          `no host is driving run ${run_id}`,
          `Its workers end by themselves. Go on with it: atelier resume ${run_id}.`,
        );
      stdout.write(`run ${run_id} was told to end (${mode})\n`);
      return 0;
    });
  },
};
