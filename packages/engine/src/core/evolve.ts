import { artifactPointers } from './artifact-pointers.ts';
import { upstreamEdges } from './edges.ts';
import { SURVIVORS_LISTED } from './escalation.ts';
import type { RunEvent } from './event.ts';
import { type OpenWave, type RunState, type TaskPhase, type TaskState, taskOf } from './state.ts';
import { isLost, type Task, taskKey } from './task.ts';
import { partitionWaves } from './waves.ts';

/** Folds one event into the state it is handed, in O(1) amortised, and returns that state. */
export function evolve(state: RunState, event: RunEvent): RunState {
  state.seq = event.seq;
  switch (event.type) {
    case 'run.started':
      state.runId = event.runId;
      state.policy = event.policy;
      plan(state, event.tasks);
      raiseBound(state);
      break;
    case 'run.resumed':
      state.policy = event.policy;
      raiseBound(state);
      delete state.paused;
      delete state.verdict;
      if (state.wave) state.wave.integrating = false;
      break;
    case 'wave.opened':
      state.wave = openWave(state, event.wave);
      break;
    case 'attempt.started': {
      const task = taskOf(state, event.taskId);
      task.phase = 'running';
      task.attempts = event.attempt;
      task.nonce = event.nonce;
      state.dispatches += 1;
      state.wave?.running.add(task.key);
      break;
    }
    case 'attempt.accepted': {
      const task = taskOf(state, event.taskId);
      task.phase = 'accepted';
      task.reply = event.reply;
      if (event.evidence !== undefined) task.evidence = event.evidence;
      state.wave?.running.delete(task.key);
      state.wave?.accepted.add(task.key);
      keepArtifacts(state.wave, event.reply);
      break;
    }
    case 'attempt.closed': {
      const task = taskOf(state, event.taskId);
      task.phase = 'pending';
      task.closure = event.closure;
      delete task.reply;
      delete task.evidence;
      state.wave?.running.delete(task.key);
      state.wave?.accepted.delete(task.key);
      state.wave?.queue.push(task.key);
      break;
    }
    case 'task.completed': {
      const task = taskOf(state, event.taskId);
      if (event.evidence !== undefined) task.evidence = event.evidence;
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
      if (state.wave) state.wave.integrating = true;
      break;
    case 'integration.failed':
      if (state.wave) state.wave.integrating = false;
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

function plan(state: RunState, tasks: readonly Task[]): void {
  const edges = upstreamEdges(tasks);
  for (const task of tasks) {
    const key = taskKey(task.id);
    const upstreams = (edges.get(key) ?? []).map(({ upstream }) => upstream);
    const attempts = task.attempts ?? 0;
    state.tasks.set(key, { task, key, upstreams, phase: phaseOf(task), attempts });
    for (const upstream of upstreams) {
      const known = state.dependents.get(upstream);
      if (known) known.push(key);
      else state.dependents.set(upstream, [key]);
    }
  }
  state.waves = partitionWaves(tasks).map((wave) => ({
    group: wave[0]?.parallel_group ?? 0,
    keys: wave.map((task) => taskKey(task.id)),
  }));
  for (const task of tasks) if (isLost(task)) doomDependents(state, taskKey(task.id));
}

/** A resume may change the caps; what was charged under the higher ones stays within the bound. */
function raiseBound(state: RunState): void {
  const live = state.waves.reduce((sum, { keys }) => sum + keys.length, 0);
  state.dispatchBound = Math.max(state.dispatchBound, live * state.policy.maxAttempts);
}

const phaseOf = ({ status }: Task): TaskPhase =>
  status === 'complete' || status === 'abandoned' || status === 'held' ? status : 'pending';

function openWave(state: RunState, index: number): OpenWave {
  const { group, keys } = state.waves[index] ?? { group: 0, keys: [] };
  return {
    index,
    group,
    keys,
    queue: [...keys],
    head: 0,
    doomed: keys.filter((key) => state.lostUpstream.has(key)),
    doomedHead: 0,
    running: new Set(),
    accepted: new Set(),
    terminal: new Set(),
    outstanding: new Set(keys),
    artifacts: [],
    integrating: false,
  };
}

function close(state: RunState, task: TaskState, phase: TaskPhase): void {
  task.phase = phase;
  const wave = state.wave;
  if (!wave) return;
  wave.accepted.delete(task.key);
  wave.outstanding.delete(task.key);
  wave.terminal.add(task.key);
}

/** Marks everything downstream, through rows that are already complete. Each task is marked once in a run. */
function doomDependents(state: RunState, lost: string): void {
  const open = [lost];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const dependent of state.dependents.get(key) ?? []) {
      if (state.lostUpstream.has(dependent)) continue;
      state.lostUpstream.set(dependent, lost);
      if (state.wave?.outstanding.has(dependent)) state.wave.doomed.push(dependent);
      open.push(dependent);
    }
  }
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

/** Moves the heads past entries that are no longer pending, and ends an integration that has nothing left. */
function settle(state: RunState): void {
  const wave = state.wave;
  if (!wave) return;
  while (wave.head < wave.queue.length && headPhase(state, wave.queue[wave.head]) !== 'pending')
    wave.head += 1;
  while (
    wave.doomedHead < wave.doomed.length &&
    headPhase(state, wave.doomed[wave.doomedHead]) !== 'pending'
  )
    wave.doomedHead += 1;
  if (wave.accepted.size === 0) wave.integrating = false;
}

const headPhase = (state: RunState, key: string | undefined): TaskPhase | undefined =>
  key === undefined ? undefined : state.tasks.get(key)?.phase;
