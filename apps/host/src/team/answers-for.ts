import { type Task, taskKey } from '@atelier/engine';
import { AUDIT_EVENTS, taskGapId } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { isSameTask } from './same-task.ts';
import { teamsOfProject } from './teams-of-project.ts';

/** What a person said to an escalation of a task, and what it had told. Both are text of others. */
interface PersonsAnswer {
  readonly question: string;
  readonly answer: string;
}

/** A briefing has a worker's attention for so many. */
const MOST = 5;

/**
 * What people answered to the escalations of a task, by `ack` or by `retry`, in all runs of a project that had it under
 * this id and title: the newest five, the latest last. Answers without a word are none.
 */
export function answersFor(
  project: Pick<Project, 'store' | 'repository'>,
  { id, title }: Pick<Task, 'id' | 'title'>,
): readonly PersonsAnswer[] {
  const key = taskKey(id);
  const gapId = taskGapId(key);
  const { ledger } = project.store.team;
  return teamsOfProject(project)
    .flatMap(({ teamId, runId }) => {
      const rows = (eventType: string) =>
        ledger.list({ teamId, eventType }).filter(({ payload }) => payload['gap_id'] === gapId);
      const answers = [...rows(AUDIT_EVENTS.ack), ...rows(AUDIT_EVENTS.retry)];
      if (answers.length === 0 || !isSameTask(project.store, runId, { key, title })) return [];
      const question = textOf(rows(AUDIT_EVENTS.gap)[0]?.payload['description']);
      return answers.map(({ id, payload }) => ({ id, question, answer: textOf(payload['note']) }));
    })
    .filter(({ answer }) => answer.trim() !== '')
    .sort((one, other) => one.id - other.id)
    .slice(-MOST)
    .map(({ question, answer }) => ({ question, answer }));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
