import { artifactPointers } from './artifact-pointers.ts';
import { streakWith } from './breaker.ts';
import { doomDependents } from './doom.ts';
import { SURVIVORS_LISTED } from './escalation.ts';
import type { RunEvent } from './event.ts';
import { layOut } from './lay-out.ts';
import { orderOf } from './order/order-of.ts';
import { endIn, isFree } from './order/precedence.ts';
import {
  isDue,
  type OpenWave,
  type RunState,
  reviewersOf,
  type TaskPhase,
  type TaskState,
  taskOf,
  underReview,
} from './state.ts';
import { taskKey } from './task.ts';

/** Folds one event into the state it is handed, in O(1) amortised, and returns that state. */
export function evolve(state: RunState, event: RunEvent): RunState {
  state.seq = event.seq;
  switch (event.type) {
    case 'run.started':
      state.runId = event.runId;
      state.policy = event.policy;
      layOut(state, event.tasks);
      break;
    case 'run.resumed':
      state.policy = event.policy;
      raiseBound(state);
      delete state.paused;
      delete state.verdict;
      delete state.streak;
      if (state.wave) {
        delete state.wave.integrating;
        state.wave.integrationFailed = false;
      }
      break;
    case 'plan.taken':
      layOut(state, event.tasks);
      break;
    case 'wave.opened':
      state.wave = openWave(state, event.wave);
      break;
    case 'attempt.started': {
      const task = taskOf(state, event.taskId);
      task.phase = 'running';
      task.attempts = event.attempt;
      task.nonce = event.nonce;
      if (event.terms === undefined) delete task.terms;
      else task.terms = event.terms;
      delete task.checks;
      delete task.replied;
      state.dispatches += 1;
      state.wave?.running.add(task.key);
      break;
    }
    case 'attempt.spawned':
    case 'audit.noted':
      break;
    case 'attempt.replied': {
      const { taskId, reply, usage } = event;
      taskOf(state, taskId).replied = { reply, ...(usage === undefined ? {} : { usage }) };
      break;
    }
    case 'attempt.checked': {
      const task = taskOf(state, event.taskId);
      task.checks ??= new Map();
      task.checks.set(event.stage, event.evidence);
      break;
    }
    case 'review.requested': {
      const task = taskOf(state, event.taskId);
      task.phase = 'reviewing';
      state.wave?.reviewing.add(task.key);
      delete state.streak;
      deliver(state, task, event);
      queueReviewer(state, task);
      break;
    }
    case 'attempt.accepted': {
      const task = taskOf(state, event.taskId);
      const author = underReview(state, task);
      task.phase = 'accepted';
      delete state.streak;
      deliver(state, task, event);
      state.wave?.reviewing.delete(task.key);
      state.wave?.accepted.add(task.key);
      if (author) queueReviewer(state, author);
      else keepArtifacts(state.wave, event.reply);
      break;
    }
    case 'attempt.closed': {
      const task = taskOf(state, event.taskId);
      task.phase = 'pending';
      task.closure = event.closure;
      state.streak = streakWith(state.streak, task.key, event.closure);
      delete task.replied;
      delete task.reply;
      delete task.evidence;
      state.wave?.running.delete(task.key);
      state.wave?.reviewing.delete(task.key);
      state.wave?.accepted.delete(task.key);
      state.wave?.integrating?.delete(task.key);
      state.wave?.queue.push(task.key);
      for (const reviewer of reviewersOf(state, task)) withdrawApproval(state, reviewer);
      break;
    }
    case 'task.completed': {
      const task = taskOf(state, event.taskId);
      if (event.evidence !== undefined) task.evidence = event.evidence;
      close(state, task, 'complete');
      break;
    }
    case 'task.replayed': {
      const task = taskOf(state, event.taskId);
      task.replayedFrom = event.from;
      deliver(state, task, event);
      keepArtifacts(state.wave, event.reply);
      close(state, task, 'complete');
      break;
    }
    case 'task.abandoned': {
      const task = taskOf(state, event.taskId);
      const { by, category, lastStatus, upstreamId } = event;
      task.abandonment = { by, category, lastStatus, upstreamId };
      close(state, task, 'abandoned');
      doomDependents(state, task.key);
      break;
    }
    case 'task.held': {
      const task = taskOf(state, event.taskId);
      close(state, task, 'held');
      doomDependents(state, task.key);
      break;
    }
    case 'escalation.raised':
      state.escalations.push(event.escalation);
      state.undelivered.set(event.key, event.escalation);
      break;
    case 'escalation.delivered':
      state.undelivered.delete(event.key);
      break;
    case 'integration.started':
      if (state.wave) state.wave.integrating = new Set(event.taskIds.map(taskKey));
      break;
    case 'integration.checked':
      state.wave?.checks.set(event.stage, event.evidence);
      break;
    case 'integration.failed':
      if (state.wave) {
        delete state.wave.integrating;
        state.wave.integrationFailed = true;
      }
      break;
    case 'wave.closed':
      delete state.wave;
      state.nextWave = event.wave + 1;
      break;
    case 'run.parked': {
      const { cause, detail, resumeAt } = event;
      const parking = { cause, detail, ...(resumeAt === undefined ? {} : { resumeAt }) };
      state.paused = { kind: 'parked', parking };
      break;
    }
    case 'run.interrupted':
      state.paused = { kind: 'interrupted' };
      break;
    case 'run.finished':
      state.verdict = event.verdict;
      break;
  }
  settle(state);
  return state;
}

/** A resume may change the caps; what was charged under the higher ones stays within the bound. */
function raiseBound(state: RunState): void {
  const live = state.waves.reduce((sum, { keys }) => sum + keys.length, 0);
  state.dispatchBound = Math.max(state.dispatchBound, live * state.policy.maxAttempts);
}

/** Of a run whose plan was changed, some tasks have ended before their wave opens. */
function openWave(state: RunState, index: number): OpenWave {
  const { group, keys } = state.waves[index] ?? { group: 0, keys: [] };
  const order = state.policy.schedule === 'pipeline' ? orderOf(state, keys) : undefined;
  const tasks = keys.flatMap((key) => state.tasks.get(key) ?? []);
  const inPhase = (...phases: readonly TaskPhase[]) =>
    tasks.filter(({ phase }) => phases.includes(phase)).map(({ key }) => key);
  return {
    index,
    group,
    keys,
    ...(order ? { order } : {}),
    queue: tasks
      .filter((task) => isDue(state, task) && (!order || isFree(order, task.key)))
      .map(({ key }) => key),
    head: 0,
    doomed: keys.filter((key) => state.lostUpstream.has(key)),
    doomedHead: 0,
    running: new Set(inPhase('running')),
    reviewing: new Set(inPhase('reviewing')),
    accepted: new Set(inPhase('accepted')),
    terminal: new Set(inPhase('complete', 'abandoned', 'held')),
    outstanding: new Set(inPhase('pending', 'running', 'reviewing', 'accepted')),
    artifacts: [],
    integrationFailed: false,
    checks: new Map(),
  };
}

function close(state: RunState, task: TaskState, phase: TaskPhase): void {
  task.phase = phase;
  const wave = state.wave;
  if (!wave) return;
  wave.reviewing.delete(task.key);
  wave.accepted.delete(task.key);
  wave.integrating?.delete(task.key);
  wave.outstanding.delete(task.key);
  wave.terminal.add(task.key);
  if (wave.order) for (const key of endIn(wave.order, task.key)) wave.queue.push(key);
}

/** What an attempt has delivered; its slot is free. */
function deliver(
  { wave }: RunState,
  task: TaskState,
  { reply, evidence }: Pick<Extract<RunEvent, { type: 'attempt.accepted' }>, 'reply' | 'evidence'>,
): void {
  delete task.replied;
  task.reply = reply;
  if (evidence !== undefined) task.evidence = evidence;
  wave?.running.delete(task.key);
}

/** An author may have several: the next one looks at what the ones before it have approved. */
function queueReviewer(state: RunState, author: TaskState): void {
  const next = reviewersOf(state, author).find((reviewer) => isDue(state, reviewer));
  if (next) state.wave?.queue.push(next.key);
}

/** An approval is of one attempt; the next one is reviewed anew. */
function withdrawApproval({ wave }: RunState, reviewer: TaskState): void {
  if (reviewer.phase !== 'accepted') return;
  reviewer.phase = 'pending';
  delete reviewer.reply;
  wave?.accepted.delete(reviewer.key);
}

function keepArtifacts(
  wave: OpenWave | undefined,
  reply: { readonly artifacts: readonly unknown[] },
) {
  if (!wave || wave.artifacts.length >= SURVIVORS_LISTED) return;
  wave.artifacts.push(
    ...artifactPointers(reply.artifacts, SURVIVORS_LISTED - wave.artifacts.length),
  );
}

/** Moves the heads past entries that are not due any more, and ends an integration that has nothing left. */
function settle(state: RunState): void {
  const wave = state.wave;
  if (!wave) return;
  const at = (key: string | undefined) => (key === undefined ? undefined : state.tasks.get(key));
  for (let task = at(wave.queue[wave.head]); task; task = at(wave.queue[wave.head])) {
    if (isDue(state, task)) break;
    wave.head += 1;
  }
  for (let task = at(wave.doomed[wave.doomedHead]); task; task = at(wave.doomed[wave.doomedHead])) {
    if (task.phase === 'pending') break;
    wave.doomedHead += 1;
  }
  if (wave.integrating?.size === 0) delete wave.integrating;
}
