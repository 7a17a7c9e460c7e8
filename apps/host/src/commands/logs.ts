import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { spoolOf } from '@atelier/cli-transport';
import { taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { type Command, UsageError } from '../command.ts';
import { runFolder } from '../compose/run-folder.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import type { Output } from '../streams.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier logs TASK [--attempt N] [--run RUN] [--stderr] [--repo DIR]

Shows what an attempt of a task has written, its last attempt when none is named. Control characters are shown,
not obeyed.
`;

/** The longest line that is shown whole. */
const LONGEST_LINE = 10_000;

/** `atelier logs`: the spool of an attempt, made safe for a terminal. */
export const logs: Command = {
  async run(args, { stdout }, environment) {
    const given = parseProjectArguments('logs', args, ['stderr']);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    const [task, ...more] = given.positionals;
    if (task === undefined || more.length > 0)
      throw new UsageError('logs takes one TASK', 'See atelier status for the tasks.');
    return withProject(given, environment, async (project) => {
      const { run_id } = runNamed(project.store, given.run);
      const attempts = project.store.attempts(run_id, taskKey(task));
      const attempt = given.attempt ?? attempts.at(-1)?.attempt;
      if (attempt === undefined || !attempts.some((row) => row.attempt === attempt))
        throw new HostError(
          'NO_SUCH_ATTEMPT',
          `run ${run_id} has no ${attempt === undefined ? 'attempt' : `attempt ${attempt}`} of task ${task}`,
          'See atelier status for the tasks and their attempts.',
        );
      const spool = spoolOf(
        workersFolder(
          await runFolder(
            project,
            run_id,
            given.stateDir === undefined ? undefined : project.stateHome,
          ),
        ),
        task,
        attempt,
      );
      await show(given.flags.has('stderr') ? spool.stderr : spool.stdout, stdout);
      return 0;
    });
  },
};

async function show(path: string, stdout: Output): Promise<void> {
  if (!existsSync(path)) return;
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') }))
    stdout.write(`${printable(line.replaceAll('\t', '    '), LONGEST_LINE)}\n`);
}
