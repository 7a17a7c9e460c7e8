import { isClosed, type Task, taskKey, upstreamEdges } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { RenderedIssue } from '@atelier/reporters';
import { refusedTasks, type StoppedLine, stoppedLines } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { isSameTask } from './same-task.ts';
import { teamsOfProject } from './teams-of-project.ts';

/**
 * What a run may not dispatch: tasks whose line of work a post-mortem stopped in an earlier run and nobody has opened
 * again, and all that wait for them. One issue for each, in the order of the plan; empty when nothing is stopped. What the
 * run itself has stopped at has ended in it, and a task of another title is another task.
 */
export function stoppedTasks(
  project: Pick<Project, 'store' | 'repository'>,
  tasks: readonly Task[],
  runId?: string,
): readonly RenderedIssue[] {
  const others = teamsOfProject(project).filter((team) => team.runId !== runId);
  const teams = new Map(others.map((team) => [team.teamId, team]));
  const titles = new Map(tasks.map(({ id, title }) => [taskKey(id), title]));
  const lines = stoppedLines(project.store.team.ledger, [...teams.keys()]).filter(
    ({ teamId, taskId }) =>
      taskId === undefined ||
      isSameTask(project.store, teams.get(teamId)?.runId, {
        key: taskId,
        title: titles.get(taskId),
      }),
  );
  if (lines.length === 0) return [];
  const refused = new Map(
    refusedTasks(linksOf(tasks), lines).map(({ taskId, line }) => [taskKey(taskId), line]),
  );
  return tasks.flatMap((task, index): readonly RenderedIssue[] => {
    const line = refused.get(taskKey(task.id));
    if (!line || isClosed(task)) return [];
    return [issueOf({ index, id: task.id, line, runId: teams.get(line.teamId)?.runId })];
  });
}

/** Without its reviewer no work is accepted: an author waits for who reviews it as well. */
function linksOf(tasks: readonly Task[]) {
  const edges = upstreamEdges(tasks);
  const reviewers = new Map<string, string[]>();
  for (const { id, reviews } of tasks)
    if (reviews !== undefined && reviews !== null)
      reviewers.set(taskKey(reviews), [...(reviewers.get(taskKey(reviews)) ?? []), taskKey(id)]);
  return tasks.map(({ id }) => ({
    id,
    upstream: [
      ...(edges.get(taskKey(id)) ?? []).map(({ upstream }) => upstream),
      ...(reviewers.get(taskKey(id)) ?? []),
    ],
  }));
}

function issueOf({
  index,
  id,
  line: { taskId = '', reason, since },
  runId = '',
}: {
  readonly index: number;
  readonly id: Task['id'];
  readonly line: StoppedLine;
  readonly runId: string | undefined;
}): RenderedIssue {
  const [own, stopped] = [taskKey(id), printable(taskId, 60)];
  const what = own === taskId ? 'was stopped' : `needs ${stopped}, which was stopped`;
  const named = `${stopped} --run ${printable(runId)}`;
  return {
    path: `tasks[${index}]`,
    message: `task ${printable(own, 60)} ${what} after run ${printable(runId)}, at ${since}: ${printable(reason, 200)}`,
    fix: `Answer first: atelier ack ${named}, or atelier retry ${named}.`,
  };
}
