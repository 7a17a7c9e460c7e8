import type { RunFact, Verdict } from '../../src/index.ts';
import type { Outline } from './outline.ts';

/** What has been seen of one task, by the facts alone. */
export interface Seen {
  /** The number of its last attempt; earlier runs count. */
  charged: number;
  /** The attempt that runs, or 0. */
  live: number;
  /** The stages of its checks that are behind the live attempt, and whether it has replied. */
  checks: number;
  replied: boolean;
  /** Of an author: the attempt that is before its reviewers, or 0. */
  requested: number;
  /** Of a reviewer: the attempt of its author that it looks at. */
  looksAt: number;
  /** Of a reviewer: the attempt of its author that it has approved, or 0. */
  approved: number;
  /** The accepted attempt that is not integrated yet, or 0. */
  accepted: number;
  end: '' | 'complete' | 'abandoned' | 'held';
  /** Something that it needs has ended otherwise than complete. */
  lost: boolean;
  escalations: number;
}

/** A second opinion of the run: kept from the facts, by other code than the engine's. */
export interface Witness {
  readonly tasks: Map<string, Seen>;
  openWave: number;
  nextWave: number;
  /** Whose work is being brought together. */
  integrating: Set<string>;
  paused: '' | 'parked' | 'interrupted';
  verdict: '' | Verdict;
  dispatches: number;
  /** Escalations of the run itself. */
  parkings: number;
}

export function witnessOf({ live, ended, attempts, dependents }: Outline): Witness {
  const tasks = new Map<string, Seen>();
  for (const id of [...live, ...ended.keys()])
    tasks.set(id, {
      ...{ charged: attempts.get(id) ?? 0, live: 0, requested: 0, looksAt: 0, approved: 0 },
      ...{
        checks: 0,
        replied: false,
        accepted: 0,
        end: (ended.get(id) ?? '') as Seen['end'],
        lost: false,
        escalations: 0,
      },
    });
  const witness: Witness = {
    ...{
      tasks,
      openWave: -1,
      nextWave: 0,
      integrating: new Set<string>(),
      paused: '',
      verdict: '',
    },
    ...{ dispatches: 0, parkings: 0 },
  };
  for (const [id, end] of ended) if (end !== 'complete') lose(witness, id, dependents);
  return witness;
}

/** Takes a fact in. Says nothing about whether it may be. */
export function witnessFact(witness: Witness, fact: RunFact, outline: Outline): void {
  const task = 'taskId' in fact ? witness.tasks.get(`${fact.taskId}`) : undefined;
  if (task && 'taskId' in fact) witnessTask(witness, task, fact, outline);
  switch (fact.type) {
    case 'run.resumed':
      Object.assign(witness, { paused: '', verdict: '', integrating: new Set() });
      break;
    case 'wave.opened':
      witness.openWave = fact.wave;
      break;
    case 'wave.closed':
      Object.assign(witness, { openWave: -1, nextWave: fact.wave + 1 });
      break;
    case 'integration.started':
      witness.integrating = new Set(fact.taskIds.map(String));
      break;
    case 'integration.failed':
      witness.integrating = new Set();
      break;
    case 'escalation.raised': {
      const owner = witness.tasks.get(`${fact.escalation.task_id}`);
      if (fact.escalation.scope === 'run') witness.parkings += 1;
      else if (owner) owner.escalations += 1;
      break;
    }
    case 'run.parked':
      witness.paused = 'parked';
      break;
    case 'run.interrupted':
      witness.paused = 'interrupted';
      break;
    case 'run.finished':
      witness.verdict = fact.verdict;
      break;
  }
  for (const id of witness.integrating)
    if (!witness.tasks.get(id)?.accepted) witness.integrating.delete(id);
}

function witnessTask(
  witness: Witness,
  task: Seen,
  fact: Extract<RunFact, { taskId: unknown }>,
  { reviewersOf, authorOf, dependents }: Outline,
): void {
  const id = `${fact.taskId}`;
  const end = (how: Seen['end']) =>
    Object.assign(task, { end: how, live: 0, requested: 0, accepted: 0 });
  switch (fact.type) {
    case 'attempt.started':
      witness.dispatches += 1;
      task.charged = fact.attempt;
      task.live = fact.attempt;
      task.checks = 0;
      task.replied = false;
      task.looksAt = fact.reviews?.attempt ?? 0;
      break;
    case 'attempt.checked':
      task.checks += 1;
      break;
    case 'attempt.replied':
      task.replied = true;
      break;
    case 'review.requested':
      Object.assign(task, { live: 0, replied: false, requested: fact.attempt });
      break;
    case 'attempt.accepted':
      Object.assign(task, { live: 0, replied: false, requested: 0, accepted: fact.attempt });
      if (authorOf.has(id)) task.approved = task.looksAt;
      break;
    case 'attempt.closed':
      Object.assign(task, { live: 0, replied: false, requested: 0, accepted: 0, looksAt: 0 });
      for (const reviewer of reviewersOf.get(id) ?? []) {
        const seen = witness.tasks.get(reviewer);
        if (seen && seen.live === 0) Object.assign(seen, { approved: 0, accepted: 0 });
      }
      break;
    case 'task.completed':
    case 'task.replayed':
      end('complete');
      break;
    case 'task.abandoned':
    case 'task.held':
      end(fact.type === 'task.held' ? 'held' : 'abandoned');
      lose(witness, id, dependents);
      break;
  }
}

function lose(
  { tasks }: Pick<Witness, 'tasks'>,
  id: string,
  dependents: Outline['dependents'],
): void {
  for (const dependent of dependents.get(id) ?? []) {
    const task = tasks.get(dependent);
    if (!task || task.lost) continue;
    task.lost = true;
    lose({ tasks }, dependent, dependents);
  }
}
