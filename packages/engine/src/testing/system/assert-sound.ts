import assert from 'node:assert/strict';
import type { RunEvent } from '../../core/event.ts';
import type { Outcome } from '../../core/outcome.ts';
import { checkPolicy } from '../../core/policy.ts';
import { taskKey } from '../../core/task.ts';
import type { RunReport } from '../../shell/run.ts';
import type { World } from './host.ts';
import { policyOf, type Story } from './story.ts';

/** An outcome in two words. */
function endingOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'worker-abandon':
    case 'engine-abandon':
      return `${outcome.kind} ${outcome.category}`;
    case 'held':
      return `held ${outcome.status}`;
    default:
      return outcome.kind;
  }
}

/** Holds a run that has ended, its record, and what was seen of it from outside, to all that holds for every run. */
export function assertSound(world: World, events: readonly RunEvent[], report: RunReport): void {
  const { story, starts, told, faults } = world;
  const { maxAttempts } = checkPolicy(policyOf(story));
  assertRecord(world, events);
  assert.deepEqual(faults, []);
  assertCauses(story, events);
  const charged = events.filter((event) => event.type === 'attempt.started');
  assert.equal(report.dispatches, charged.length);
  assert(report.dispatches <= story.tasks.length * maxAttempts, 'more dispatches than the bound');
  for (const { task, attempt, nonce } of starts) {
    const charge = charged.find(
      (event) => event.taskId === task.id && event.attempt === attempt && event.nonce === nonce,
    );
    assert(charge, `attempt ${attempt} of ${task.id} was started without a charge`);
  }
  const raised = events.filter((event) => event.type === 'escalation.raised');
  const keys = raised.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, 'two escalations under one key');
  assert.deepEqual(new Set(told.map(({ key }) => key)), new Set(keys), 'told and raised differ');
  for (const { key, escalation } of told)
    assert.deepEqual(escalation, raised.find((event) => event.key === key)?.escalation);
  assert.equal(report.undelivered, 0);
  const ends = report.outcomes.map((outcome) => [String(outcome.taskId), endingOf(outcome)]);
  assert.deepEqual(Object.fromEntries(ends), story.ends);
}

/** A task can come to the right end for the wrong reason: a worker that is called unstoppable, one that never began. */
function assertCauses({ causes }: Story, events: readonly RunEvent[]): void {
  if (!causes) return;
  for (const event of events) {
    if (event.type !== 'attempt.closed' || event.closure.kind !== 'failed') continue;
    const { cause, detail } = event.closure;
    const expected = causes[taskKey(event.taskId)] ?? [];
    const what = `attempt ${event.attempt} of ${event.taskId} failed with ${cause} (${detail})`;
    assert(expected.includes(cause), `${what}, expected: ${expected.join(', ') || 'no failure'}`);
  }
}

/** What the record itself must keep to: order, barrier, budgets, one end per task. */
function assertRecord({ story }: World, events: readonly RunEvent[]): void {
  const { maxAttempts, maxWorkers } = checkPolicy(policyOf(story));
  const tasks = new Map(story.tasks.map((task) => [taskKey(task.id), task]));
  const attempts = new Map<string, number>();
  const running = new Set<string>();
  const ended = new Map<string, RunEvent['type']>();
  let group: number | undefined;
  for (const [index, event] of events.entries()) {
    assert.equal(event.seq, index + 1, 'a gap in the record');
    if (event.type === 'wave.opened') {
      assert(group === undefined || event.group > group, 'waves out of order');
      group = event.group;
    }
    if (!('taskId' in event)) continue;
    const key = taskKey(event.taskId);
    switch (event.type) {
      case 'attempt.started': {
        const task = tasks.get(key);
        assert.equal(event.attempt, (attempts.get(key) ?? 0) + 1, `attempts of ${key} skip`);
        assert(event.attempt <= maxAttempts, `${key} is over its budget`);
        assert(!running.has(key), `two attempts of ${key} at once`);
        assert(!ended.has(key), `${key} goes on after its end`);
        assert.equal(task?.parallel_group, group, `${key} is ahead of the barrier`);
        for (const upstream of task?.depends_on ?? [])
          assert.equal(ended.get(taskKey(upstream)), 'task.completed', `${key} has no upstream`);
        attempts.set(key, event.attempt);
        running.add(key);
        assert(running.size <= maxWorkers, 'more workers than allowed');
        break;
      }
      case 'attempt.accepted':
      case 'attempt.closed':
        assert(running.delete(key), `${key} ends twice`);
        break;
      case 'task.completed':
      case 'task.abandoned':
      case 'task.held':
        assert(!ended.has(key), `${key} has two ends`);
        ended.set(key, event.type);
        break;
      default:
        break;
    }
  }
}
