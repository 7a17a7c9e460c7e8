import type { Reply } from '@atelier/envelope';
import { abandon, hold } from './abandon.ts';
import { advance } from './advance.ts';
import { streakWith, tripped } from './breaker.ts';
import { CAUSES, defers } from './causes.ts';
import { type Closure, closureStatus } from './closure.ts';
import { EngineError } from './error.ts';
import type { Notice, RunFact } from './event.ts';
import type { Integration, RunInput } from './input.ts';
import { park } from './park.ts';
import { integrationChecked, progress } from './progress.ts';
import { replay } from './replay.ts';
import { approval, completion, rejection, unreviewed } from './review.ts';
import {
  isDue,
  type RunState,
  reviewersOf,
  type TaskState,
  taskOf,
  underReview,
  workUnderIntegration,
} from './state.ts';
import { type TaskId, taskKey } from './task.ts';

/**
 * The rules: which facts follow from an input. Pure; a stale input (an attempt that is not the running
 * one) yields none.
 */
export function decide(state: RunState, input: RunInput): RunFact[] {
  switch (input.kind) {
    case 'start': {
      const { kind: _, ...started } = input;
      return [{ type: 'run.started', ...started }];
    }
    case 'resume': {
      const { kind: _, ...resumed } = input;
      return [{ type: 'run.resumed', ...resumed }];
    }
    case 'take-plan':
      return [{ type: 'plan.taken', tasks: input.tasks }];
    case 'advance':
      return advance(state);
    case 'dispatch':
      return dispatch(state, input);
    case 'replay':
      return replay(state, input);
    case 'spawned':
    case 'replied':
    case 'checked':
      return progress(state, input);
    case 'ended':
      return ended(state, input);
    case 'integrated':
      return integrated(state, input.results);
    case 'integration-checked':
      return integrationChecked(state, input);
    case 'integration-failed':
      return integrationFailed(state, input.detail);
    case 'delivered':
      return state.undelivered.has(input.key)
        ? [{ type: 'escalation.delivered', key: input.key }]
        : [];
    case 'park':
      return park(state, taskOf(state, input.taskId), input.parking);
    case 'interrupt':
      return state.paused?.kind === 'interrupted'
        ? []
        : [{ type: 'run.interrupted', reason: input.reason }];
  }
}

function dispatch(
  state: RunState,
  { taskId, nonce, contentKey, terms, notices = [] }: Extract<RunInput, { kind: 'dispatch' }>,
): RunFact[] {
  const task = state.tasks.get(taskKey(taskId));
  // The bound that the termination argument rests on, held where the charge is made.
  if (!task || !isDue(state, task) || task.attempts >= state.policy.maxAttempts) return [];
  if (state.dispatches >= state.dispatchBound)
    throw new EngineError(
      'TERMINATION',
      `dispatch ${state.dispatches + 1} would pass the bound of ${state.dispatchBound}`,
      'This is a fault of the engine; please report it with the journal.',
    );
  const author = underReview(state, task);
  const reviews = author && { taskId: author.task.id, attempt: author.attempts };
  return [
    {
      type: 'attempt.started',
      taskId: task.task.id,
      attempt: task.attempts + 1,
      nonce,
      ...(reviews ? { reviews } : {}),
      ...(contentKey === undefined ? {} : { contentKey }),
      ...(terms === undefined ? {} : { terms }),
    },
    ...noted(task.task.id, task.attempts + 1, { source: 'task', notices }),
  ];
}

function ended(state: RunState, input: Extract<RunInput, { kind: 'ended' }>): RunFact[] {
  const task = state.tasks.get(taskKey(input.taskId));
  if (task?.phase !== 'running' || task.attempts !== input.attempt) return [];
  const { closure, attempt, notices } = input;
  return [
    ...(closure.kind === 'done'
      ? delivered(state, task, { reply: closure.reply, ...input })
      : closed(state, task, input)),
    ...noted(task.task.id, attempt, { source: 'reply', notices }),
  ];
}

function closed(
  state: RunState,
  task: TaskState,
  { closure, attempt, usage }: Extract<RunInput, { kind: 'ended' }>,
): RunFact[] {
  const author = underReview(state, task);
  const broken = tripped(streakWith(state.streak, task.key, closure), state.policy.breakAfter);
  return [
    {
      type: 'attempt.closed',
      taskId: task.task.id,
      attempt,
      closure,
      ...(usage === undefined ? {} : { usage }),
    },
    ...(author ? verdict(state, task, author, closure) : consequences(state, task, closure)),
    ...(broken ? park(state, task, broken) : []),
  ];
}

interface Notices {
  readonly source: 'task' | 'reply';
  readonly notices?: readonly Notice[] | undefined;
}

const noted = (taskId: TaskId, attempt: number, { source, notices = [] }: Notices): RunFact[] =>
  notices.map(({ field, excerpt }) => ({
    ...{ type: 'audit.noted', kind: 'untrusted_instruction' },
    ...{ taskId, attempt, source, field, excerpt },
  }));

/** A `done` that holds: an approval, work that waits for its reviewers, or work that counts. */
function delivered(
  state: RunState,
  task: TaskState,
  {
    attempt,
    reply,
    usage,
    evidence,
    final,
  }: Extract<RunInput, { kind: 'ended' }> & { readonly reply: Reply },
): RunFact[] {
  const end = {
    taskId: task.task.id,
    attempt,
    reply,
    ...(usage === undefined ? {} : { usage }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  const accepted: RunFact = { type: 'attempt.accepted', ...end };
  const author = underReview(state, task);
  if (author) {
    const waiting = reviewersOf(state, author).filter(({ phase }) => phase !== 'accepted');
    const last = waiting.every((one) => one === task);
    return [accepted, ...(last ? approval(state, author, { final }) : [])];
  }
  const reviewers = reviewersOf(state, task).map((reviewer) => reviewer.task.id);
  if (reviewers.length > 0) return [{ type: 'review.requested', ...end, reviewers }];
  return [accepted, ...(final ? completion(state, task, attempt) : [])];
}

/** What a review that did not approve means for both. A crashed review is no verdict: it is tried again. */
function verdict(state: RunState, task: TaskState, author: TaskState, closure: Closure): RunFact[] {
  if (closure.kind === 'held') {
    const rejected = rejection(task, closure);
    const { id: taskId } = author.task;
    return [
      { type: 'attempt.closed', taskId, attempt: author.attempts, closure: rejected },
      ...consequences(state, author, rejected),
    ];
  }
  const facts = consequences(state, task, closure);
  const lost = facts.some(({ type }) => type === 'task.abandoned');
  return lost ? [...facts, ...unreviewed(state, author, task, closureStatus(closure))] : facts;
}

/** What an attempt that did not succeed means for its task. No fact here means: back into the queue. */
function consequences(state: RunState, task: TaskState, closure: Closure): RunFact[] {
  const attempt = task.attempts;
  const lastStatus = closureStatus(closure);
  if (closure.kind === 'abandoned')
    return abandon(state, task, { by: 'worker', category: closure.category, lastStatus, attempt });
  if (closure.kind === 'held' && state.policy.onHeld === 'close')
    return hold(state, task, closure.status, attempt);
  const facts: RunFact[] = [];
  const unstoppable = closure.kind === 'failed' && closure.cause === 'unstoppable';
  if (unstoppable || (attempt >= state.policy.maxAttempts && !defers(closure)))
    facts.push(
      ...abandon(state, task, { by: 'engine', category: 'capacity', lastStatus, attempt }),
    );
  const cause = closure.kind === 'failed' ? CAUSES[closure.cause].parks : undefined;
  if (closure.kind === 'failed' && cause) {
    const { detail, resumeAt } = closure;
    const until = resumeAt === undefined ? {} : { resumeAt };
    facts.push(...park(state, task, { cause, detail, ...until }));
  }
  return facts;
}

/**
 * What was merged, or else the first that was not: a refusal has to see what the ones before it have left. To be
 * asked again until it yields nothing. A task without a verdict is refused.
 */
function integrated(state: RunState, results: readonly Integration[]): RunFact[] {
  if (!state.wave?.integrating) return [];
  const byKey = new Map(results.map((result) => [taskKey(result.taskId), result]));
  const accepted = workUnderIntegration(state);
  const merged = accepted.flatMap((task): RunFact[] => {
    const result = byKey.get(task.key);
    if (result?.kind !== 'merged') return [];
    const evidence = result.evidence === undefined ? {} : { evidence: result.evidence };
    return completion(state, task, task.attempts, evidence);
  });
  if (merged.length > 0) return merged;
  const [task] = accepted;
  return task ? refuse(state, task, byKey.get(task.key)) : [];
}

function refuse(state: RunState, task: TaskState, result: Integration | undefined): RunFact[] {
  const closure: Closure =
    result?.kind === 'refused'
      ? {
          kind: 'failed',
          cause: result.cause,
          detail: result.detail,
          ...(result.findings === undefined ? {} : { findings: result.findings }),
        }
      : {
          kind: 'failed',
          cause: 'integration',
          detail: 'integration gave no verdict on this task',
        };
  return [
    { type: 'attempt.closed', taskId: task.task.id, attempt: task.attempts, closure },
    ...consequences(state, task, closure),
  ];
}

function integrationFailed(state: RunState, detail: string): RunFact[] {
  if (!state.wave?.integrating) return [];
  const [task] = workUnderIntegration(state);
  return [
    { type: 'integration.failed', wave: state.wave.index, detail },
    ...(task ? park(state, task, { cause: 'integration', detail }) : []),
  ];
}
