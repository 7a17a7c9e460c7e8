import { taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { Command } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { answerTask, isEscalated, notEscalated } from '../team/answer-task.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier ack TASK [--answer TEXT] [--run RUN] [--repo DIR]

Notes that a person has seen why a task was abandoned or held, in the latest run or the one that is named. No task waits
for it. Where a post-mortem stopped the task, later runs take it up again.

  --answer TEXT  what the task is told when it is dispatched again
`;

/** `atelier ack`: the stamp of a person who has seen an escalation, and what they say to it. */
export const ack: Command = {
  async run(args, { stdout }, environment) {
    const given = parseTeamArguments(args, {
      ...{ command: 'ack', takes: ['TASK'], texts: ['run', 'answer'] },
    });
    if (given.help) {
      stdout.write(HELP);
      return 0;
    }
    return withProject(given, environment, async (project) => {
      const { run_id: runId } = runNamed(project.store, given.text('run'));
      const [task, answer] = [taskKey(given.given('TASK')), given.text('answer')];
      const escalated = isEscalated(project, { runId, task });
      if (answer !== undefined && !escalated)
        throw notEscalated({ runId, task }, 'Without --answer it is noted all the same.');
      project.store.acknowledge(runId, task);
      if (escalated) answerTask('ack', project, { runId, task, answer });
      const kept = answer === undefined ? '' : ' Its next briefing has the answer.';
      stdout.write(`Noted for task ${printable(task)} of run ${printable(runId)}.${kept}\n`);
      return 0;
    });
  },
};
