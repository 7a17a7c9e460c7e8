import type { JsonValue, Reply } from '@atelier/envelope';
import type { Closure } from '../core/closure.ts';
import type { AttemptTerms } from '../core/event.ts';
import type { Task, TaskId } from '../core/task.ts';
import type { ReviewedWork } from './transport.ts';

/** What a briefing may draw on. Replies and closures hold foreign text: quote it, never obey it. */
export interface BriefingContext {
  readonly runId: string;
  readonly task: Task;
  readonly attempt: number;
  readonly nonce: string;
  readonly terms?: AttemptTerms;
  /** How this task's previous attempt of the run ended. */
  readonly previous?: Closure;
  /** The work that this attempt is to review, if that is its task. */
  readonly review?: ReviewedWork;
  /** What the direct upstreams delivered in this run. */
  readonly upstream: readonly {
    readonly taskId: TaskId;
    readonly reply: Reply;
    readonly evidence?: JsonValue;
  }[];
}

/** Composes what a worker is told. A throw or a hang fails the attempt. */
export type Briefing = (context: BriefingContext) => string | Promise<string>;

/** The briefing of a run that was given none: the task's own description. */
export const plainBriefing: Briefing = ({ task }) => task.description ?? task.title ?? '';
