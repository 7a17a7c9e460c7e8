import type { Escalation, Outcome, RunReport, Task, TaskId } from '@atelier/engine';
import { closureText, firstLine } from './closure-text.ts';
import { factsIn, type WorkFacts } from './evidence.ts';
import type { CostSum } from './render-cost.ts';

/** What a run came to, as a pull request or the minutes of a cycle are written from it. JSON; the keys are documented. */
export interface OutcomeRecord {
  readonly version: 1;
  readonly runId: string;
  readonly goal: string;
  readonly verdict: RunReport['verdict'];
  /** ISO 8601. */
  readonly endedAt: string;
  readonly runMode: string;
  /** The branch that has the merged work, without `refs/heads/`. */
  readonly branch: string;
  readonly dispatches: number;
  /** In `(parallel_group, id)` order. */
  readonly tasks: readonly TaskRecord[];
  readonly escalations: readonly Escalation[];
  /** Only of a project whose phase somebody has moved, or that is led as a team. */
  readonly phase?: { readonly before: string; readonly after: string; readonly why: string };
  /** Gates that were let through for this run, as whoever did it has said. */
  readonly bypasses: readonly {
    readonly skill: string;
    readonly agent: string;
    readonly reason: string;
  }[];
  readonly meeting?: {
    readonly summary: string;
    readonly decisions: readonly string[];
    readonly openPoints: readonly string[];
    readonly partial: boolean;
  };
  /** What the turns of the meeting have used: they are no attempts of the run, and a part of what it may spend. */
  readonly meetingCost?: CostSum;
  /** Counters of the chat, where there was one. */
  readonly chat?: object;
}

/** One task. The `kind` is the engine's, whatever a worker wrote. */
export interface TaskRecord {
  readonly taskId: TaskId;
  readonly title: string | null;
  readonly wave: number;
  readonly persona: string | null;
  readonly attempts: number;
  readonly kind: Outcome['kind'];
  readonly category?: string;
  readonly upstreamTaskId?: TaskId;
  /** Why it is not done, in one sentence. */
  readonly reason?: string;
  /** Of the worker, untrusted. */
  readonly notesFirstLine?: string;
  readonly changes?: NonNullable<WorkFacts['size']>;
}

/** The facts of a run that its report does not have. */
export type RunFacts = Omit<
  OutcomeRecord,
  'version' | 'runId' | 'verdict' | 'dispatches' | 'tasks' | 'escalations'
>;

export function outcomeRecord(
  report: Pick<RunReport, 'runId' | 'verdict' | 'dispatches' | 'outcomes' | 'escalations'>,
  tasks: readonly Task[],
  facts: RunFacts,
): OutcomeRecord {
  const titles = new Map(tasks.map(({ id, title }) => [id, title ?? null]));
  return {
    version: 1,
    runId: report.runId,
    verdict: report.verdict,
    dispatches: report.dispatches,
    ...facts,
    tasks: report.outcomes.map((outcome) =>
      taskRecord(outcome, titles.get(outcome.taskId) ?? null),
    ),
    escalations: report.escalations,
  };
}

function taskRecord(outcome: Outcome, title: string | null): TaskRecord {
  const { taskId, parallelGroup: wave, worker: persona, attempts, kind } = outcome;
  return { taskId, title, wave, persona, attempts, kind, ...endOf(outcome) };
}

/** What is particular to a kind. */
function endOf(outcome: Outcome): Partial<TaskRecord> {
  switch (outcome.kind) {
    case 'done': {
      const { size } = factsIn(outcome.evidence);
      return { ...notesOf(outcome.reply), ...(size ? { changes: size } : {}) };
    }
    case 'worker-abandon':
      return { category: outcome.category, reason: outcome.reason };
    case 'engine-abandon':
      return {
        category: outcome.category,
        ...(outcome.upstreamId === null ? {} : { upstreamTaskId: outcome.upstreamId }),
        ...(outcome.lastStatus === '' ? {} : { reason: outcome.lastStatus }),
      };
    case 'held':
      return { category: outcome.status, ...notesOf(outcome.reply) };
    case 'failed-attempt':
      return { reason: closureText(outcome.closure) };
    case 'pending':
      return outcome.accepted ? { reason: 'accepted, not merged yet' } : {};
  }
}

function notesOf({ notes_md: notes }: { readonly notes_md?: unknown }): Partial<TaskRecord> {
  const line = firstLine(notes);
  return typeof line === 'string' && line !== '' ? { notesFirstLine: line.slice(0, LINE) } : {};
}

/** UTF-16 units of a worker's line. */
const LINE = 500;
