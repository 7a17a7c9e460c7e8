import { taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { type Command, UsageError } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier ack TASK [--run RUN] [--repo DIR]

Notes that a person has seen why a task was abandoned or held, in the latest run or the one that is named. It stands
in the record and changes nothing else: no task waits for it, and none goes on because of it.
`;

/** `atelier ack`: the stamp of a person who has seen an escalation. */
export const ack: Command = {
  async run(args, { stdout }, environment) {
    const given = parseProjectArguments('ack', args, []);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    const [task, ...more] = given.positionals;
    if (task === undefined || more.length > 0)
      throw new UsageError('ack takes one TASK', 'See atelier status for the names of tasks.');
    return withProject(given, environment, async ({ store }) => {
      const { run_id: runId } = runNamed(store, given.run);
      store.acknowledge(runId, taskKey(task));
      stdout.write(`Noted for task ${printable(task)} of run ${printable(runId)}.\n`);
      return 0;
    });
  },
};
