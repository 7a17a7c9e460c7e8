import { taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { Command } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { answerTask, isEscalated, notEscalated } from '../team/answer-task.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier retry TASK [--answer TEXT] [--run RUN] [--repo DIR]

Records that a person wants an abandoned or held task of the latest run, or of the one that is named, tried again. Later
runs may dispatch it, also where a post-mortem had stopped it. Nothing is started.

  --answer TEXT  what the task is told then
`;

/** `atelier retry`: opens the line of work of a task for later runs. */
export const retry: Command = {
  async run(args, { stdout }, environment) {
    const given = parseTeamArguments(args, {
      ...{ command: 'retry', takes: ['TASK'], texts: ['run', 'answer'] },
    });
    if (given.help) {
      stdout.write(HELP);
      return 0;
    }
    return withProject(given, environment, async (project) => {
      const { run_id: runId } = runNamed(project.store, given.text('run'));
      const [task, answer] = [taskKey(given.given('TASK')), given.text('answer')];
      if (!isEscalated(project, { runId, task }))
        throw notEscalated({ runId, task }, 'A task that nothing stopped needs no retry.');
      answerTask('retry', project, { runId, task, answer });
      const kept = answer === undefined ? '' : ' Its next briefing has the answer.';
      stdout.write(
        `Task ${printable(task)} of run ${printable(runId)} is open: later runs may dispatch it again.${kept}\n`,
      );
      return 0;
    });
  },
};
