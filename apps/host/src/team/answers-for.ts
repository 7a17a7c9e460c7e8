import { type Task, taskKey } from '@atelier/engine';
import type { AuditRow } from '@atelier/store-sqlite';
import { AUDIT_EVENTS, taskGapId } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { teamsOfProject } from './teams-of-project.ts';
import { workersQuestion } from './workers-question.ts';

/** What a person said to an escalation of a task, and what that was about. Both are text of others. */
interface PersonsAnswer {
  readonly question: string;
  readonly answer: string;
}

/** An answer with a word in it. */
interface Given extends Pick<AuditRow, 'id' | 'teamId' | 'createdAt'> {
  readonly runId: string;
  readonly answer: string;
}

/** A briefing has a worker's attention for so many. */
const MOST = 5;

/**
 * What people answered to the escalations of a task, by `ack` or by `retry`, in all runs of a project that had it under
 * this id and title: the newest five, the latest last. Answers without a word are none.
 *
 * What was read is kept, and each question asks the ledger only for what is new: an answer that is given meanwhile is
 * in the next briefing, however many runs there were before.
 */
export function answersFor(
  project: Pick<Project, 'store' | 'repository'>,
): (task: Pick<Task, 'id' | 'title'>) => readonly PersonsAnswer[] {
  const { store } = project;
  const given = new Map<string, Given[]>();
  const readTo = new Map<string, number>();
  const titles = new Map<string, ReadonlyMap<string, string | undefined>>();
  const questions = new Map<number, string>();

  const readOn = () => {
    const rows = KINDS.flatMap((kind) => {
      const rows = store.team.ledger.after(readTo.get(kind) ?? 0, kind);
      readTo.set(kind, rows.at(-1)?.id ?? readTo.get(kind) ?? 0);
      return rows;
    }).filter(({ payload }) => textOf(payload['note']).trim() !== '');
    if (rows.length === 0) return;
    const runs = new Map(teamsOfProject(project).map(({ teamId, runId }) => [teamId, runId]));
    for (const { id, teamId, createdAt, payload } of rows.sort((a, b) => a.id - b.id)) {
      const runId = runs.get(teamId);
      if (runId === undefined) continue;
      const gapId = textOf(payload['gap_id']);
      const answer = { id, teamId, createdAt, runId, answer: textOf(payload['note']) };
      given.set(gapId, [...(given.get(gapId) ?? []), answer]);
      titles.delete(runId);
    }
  };

  /** Of the tasks that have an answer alone: a run may have many. */
  const titlesIn = (runId: string) => {
    const known = titles.get(runId);
    if (known) return known;
    const answered = store.tasks(runId).filter(({ task_key }) => given.has(taskGapId(task_key)));
    const read = new Map(answered.map(({ task_key, title }) => [task_key, title ?? undefined]));
    titles.set(runId, read);
    return read;
  };

  const questionOf = (key: string, { id, teamId, runId, createdAt }: Given): string => {
    const asked =
      questions.get(id) ??
      workersQuestion(store, { runId, key, before: createdAt }) ??
      escalationIn(teamId, taskGapId(key));
    questions.set(id, asked);
    return asked;
  };

  const escalationIn = (teamId: string, gapId: string): string => {
    const gaps = store.team.ledger.list({ teamId, eventType: AUDIT_EVENTS.gap });
    return textOf(gaps.find(({ payload }) => payload['gap_id'] === gapId)?.payload['description']);
  };

  return ({ id, title }) => {
    readOn();
    const key = taskKey(id);
    return (given.get(taskGapId(key)) ?? [])
      .filter(
        ({ runId }) =>
          titlesIn(runId).has(key) && titlesIn(runId).get(key) === (title ?? undefined),
      )
      .slice(-MOST)
      .map((one) => ({ question: questionOf(key, one), answer: one.answer }));
  };
}

const KINDS = [AUDIT_EVENTS.ack, AUDIT_EVENTS.retry] as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
