import type { RunEvent, TaskId } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { after, closureText } from './closure-text.ts';
import { count } from './count.ts';
import { factsIn } from './evidence.ts';
import { fit, pad } from './fit.ts';
import { names } from './names.ts';
import { opening, type RunSetting } from './opening.ts';
import { parkingText } from './parking-text.ts';
import { NO_PLAN, type Plan, planAfter, planSize } from './plan.ts';
import { duration, timeOfDay } from './when.ts';
import { conflictText } from './work-text.ts';

interface Telling {
  readonly setting: RunSetting;
  plan: Plan;
  /** When the attempts in flight were charged. */
  readonly startedAt: Map<string, number>;
  /** Why a worker gave up: told with the task's end, which comes in the same batch. */
  readonly reasons: Map<string, string>;
  /** What each reviewer looks at. */
  readonly reviews: Map<string, Reviewed>;
}

type Reviewed = NonNullable<EventOf<'attempt.started'>['reviews']>;

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/**
 * A fold from events to lines, without line breaks at their ends. An event that says nothing new to a person has no
 * line: an escalation comes with the end of its task, and its delivery is bookkeeping.
 */
export function eventLines(setting: RunSetting): (event: RunEvent) => string | undefined {
  const telling: Telling = {
    setting,
    plan: NO_PLAN,
    startedAt: new Map(),
    reasons: new Map(),
    reviews: new Map(),
  };
  const tell = (event: RunEvent): string | undefined => {
    telling.plan = planAfter(telling.plan, event);
    if (event.type === 'attempt.started') noteStart(event, telling);
    const text = textOf(event, telling);
    if (text === undefined) return undefined;
    const columns = telling.plan.nameColumns;
    const subject = pad(fit(subjectOf(event, telling.plan), columns), columns);
    return `${timeOfDay(event.at)}  ${subject}  ${text}`;
  };
  for (const event of setting.history ?? []) tell(event);
  return tell;
}

function subjectOf(event: RunEvent, { hasBarriers }: Plan): string {
  if ('taskId' in event) return printable(event.taskId);
  return hasBarriers && 'wave' in event ? `wave ${event.wave + 1}` : 'run';
}

function textOf(event: RunEvent, telling: Telling): string | undefined {
  switch (event.type) {
    case 'run.started':
    case 'run.resumed':
      return opening(event, telling.plan, telling.setting);
    case 'plan.taken':
      return `goes on with the changed plan: ${planSize(telling.plan)}`;
    case 'wave.opened':
      return telling.plan.hasBarriers
        ? `opened with ${count(event.size, 'task', 'tasks')}`
        : undefined;
    case 'attempt.started': {
      const { maxAttempts } = telling.plan;
      const of = maxAttempts ? ` of ${maxAttempts}` : '';
      const work = event.reviews ? `: reviews ${workText(event.reviews)}` : '';
      return `attempt ${event.attempt}${of} started${work}`;
    }
    case 'audit.noted':
      return `foreign text in the ${printable(event.source)} addresses the host (${printable(event.field)}): ${printable(event.excerpt, 120)}`;
    case 'attempt.checked':
      return event.stage === 'verify' ? 'verify passed' : undefined;
    case 'review.requested': {
      const time = took(event, event.taskId, telling);
      return `attempt ${event.attempt} checked${time}; review by ${names(event.reviewers)} requested`;
    }
    case 'attempt.accepted':
      return acceptance(event, telling);
    case 'attempt.closed': {
      const { taskId, attempt, closure } = event;
      const time = took(event, taskId, telling);
      if (closure.kind !== 'abandoned') return `attempt ${attempt} ${closureText(closure)}${time}`;
      telling.reasons.set(String(taskId), closure.reason);
      return undefined;
    }
    case 'integration.started':
      return `merge of ${count(event.taskIds.length, 'task', 'tasks')} started: ${names(event.taskIds)}`;
    case 'integration.failed':
      return `merge failed${after(event.detail)}`;
    case 'task.completed':
      return 'done';
    case 'task.replayed':
      return `done: as attempt ${event.from.attempt} of run ${printable(event.from.runId)} left it; nothing was dispatched`;
    case 'task.abandoned':
      return abandonment(event, telling.reasons);
    case 'task.held':
      return `held: ${printable(event.status)}; escalated`;
    case 'wave.closed':
      return telling.plan.hasBarriers ? 'closed' : undefined;
    case 'run.parked':
      return parkingText(event);
    case 'run.interrupted':
      return `interrupted${after(event.reason)}`;
    case 'run.finished':
      return `finished: ${printable(event.verdict)}`;
    case 'attempt.spawned':
    case 'attempt.replied':
    case 'integration.checked':
    case 'escalation.raised':
    case 'escalation.delivered':
      return undefined;
  }
}

function took({ at }: RunEvent, taskId: TaskId, { startedAt }: Telling): string {
  const ms = Date.parse(at) - (startedAt.get(String(taskId)) ?? Number.NaN);
  startedAt.delete(String(taskId));
  return ms >= 0 ? ` (${duration(ms)})` : '';
}

function noteStart({ taskId, at, reviews }: EventOf<'attempt.started'>, telling: Telling): void {
  const key = String(taskId);
  telling.startedAt.set(key, Date.parse(at));
  if (reviews) telling.reviews.set(key, reviews);
  else telling.reviews.delete(key);
}

function acceptance(event: EventOf<'attempt.accepted'>, telling: Telling): string {
  const { taskId, attempt } = event;
  const time = took(event, taskId, telling);
  const work = telling.reviews.get(String(taskId));
  if (work) return `attempt ${attempt} approved ${workText(work)}${time}`;
  const conflicts = conflictText(factsIn(event.evidence));
  return `attempt ${attempt} accepted${time}${conflicts === '' ? '' : `; ${conflicts}`}`;
}

const workText = ({ taskId, attempt }: Reviewed): string =>
  `${printable(taskId)}, attempt ${attempt}`;

function abandonment(event: EventOf<'task.abandoned'>, reasons: Map<string, string>): string {
  const { taskId, by, category, upstreamId, attempt, lastStatus } = event;
  if (by === 'worker') {
    const reason = reasons.get(String(taskId));
    reasons.delete(String(taskId));
    return `abandoned by its worker: ${printable(category)}${after(reason)}; escalated`;
  }
  if (upstreamId !== null) return `abandoned: blocked by ${printable(upstreamId)}; escalated`;
  const last = lastStatus === '' ? '' : `, the last${after(lastStatus)}`;
  return `abandoned: ${printable(category)} after ${count(attempt, 'attempt', 'attempts')}${last}; escalated`;
}
