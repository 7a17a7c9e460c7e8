import { taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { recordPostMortem, taskGapId } from '@atelier/team-behaviors';
import type { Command } from '../command.ts';
import { runNamed } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { isEscalated, notEscalated } from '../team/answer-task.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier post-mortem TASK --reason TEXT [--run RUN] [--repo DIR]

Stops the line of work of a task that was abandoned or held and that nobody resolved, in the latest run or the one that is
named. Later runs refuse the task and all that depends on it until atelier ack or atelier retry. Nothing is tried again
by itself.
`;

/** `atelier post-mortem`: what nobody resolved goes no further. */
export const postMortem: Command = {
  async run(args, { stdout }, environment) {
    const given = parseTeamArguments(args, {
      ...{ command: 'post-mortem', takes: ['TASK'] },
      ...{ texts: ['reason', 'run'], needs: ['reason'] },
    });
    if (given.help) {
      stdout.write(HELP);
      return 0;
    }
    return withProject(given, environment, async (project) => {
      const { store } = project;
      const { run_id: runId } = runNamed(store, given.text('run'));
      const task = taskKey(given.given('TASK'));
      if (!isEscalated(project, { runId, task }))
        throw notEscalated({ runId, task }, 'Only what was escalated can be stopped.');
      const row = recordPostMortem({
        ledger: store.team.ledger,
        teamId: store.team.teams.ofRun(runId)?.teamId ?? runId,
        gapId: taskGapId(task),
        reason: given.given('reason'),
      });
      const named = `${printable(task)} --run ${printable(runId)}`;
      const wayOut = `until atelier ack ${named} or atelier retry ${named}`;
      stdout.write(
        row === null
          ? `Task ${printable(task)} is stopped already, ${wayOut}.\n`
          : `Stopped: later runs refuse task ${printable(task)} and what depends on it, ${wayOut}.\n`,
      );
      return 0;
    });
  },
};
