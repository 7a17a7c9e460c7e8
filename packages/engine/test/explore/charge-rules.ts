import type { RunFact } from '../../src/index.ts';
import type { Rule, Scene } from './rule.ts';

/** A charge is within every cap, of a task that may run, and nothing else of the run stands against it. */
export const chargeRule: Rule = function* (fact, scene) {
  if (fact.type !== 'attempt.started') return;
  const { plan, outline, witness } = scene;
  const id = `${fact.taskId}`;
  const task = witness.tasks.get(id);
  if (!task) return yield `charge of ${id}, which the plan does not have`;
  const { maxAttempts, maxWorkers } = plan.policy;
  if (fact.attempt !== task.charged + 1)
    yield `attempt ${fact.attempt} of ${id} after ${task.charged}`;
  if (fact.attempt > maxAttempts) yield `attempt ${fact.attempt} of ${id} is over the cap`;
  if (task.live > 0) yield `two live attempts of ${id}`;
  if (task.end !== '') yield `charge of ${id}, which has ended`;
  if (task.lost) yield `charge of ${id} after it has lost an upstream`;
  const running = [...witness.tasks.values()].filter(({ live }) => live > 0).length;
  if (running >= maxWorkers) yield `worker ${running + 1} of ${maxWorkers}`;
  if (witness.dispatches >= boundOf(scene))
    yield `dispatch ${witness.dispatches + 1} is over the bound`;
  if (witness.paused !== '') yield `charge of ${id} in a run that is ${witness.paused}`;
  const isPipeline = plan.policy.schedule === 'pipeline';
  if (witness.integrating.size > 0 && !isPipeline)
    yield `charge of ${id} in the middle of an integration`;
  for (const earlier of isPipeline ? (outline.waitsFor.get(id) ?? []) : [])
    if (witness.tasks.get(earlier)?.end === '') yield `charge of ${id}, which waits for ${earlier}`;
  if (outline.waveOf.get(id) !== witness.openWave) yield `charge of ${id} outside of the open wave`;
  for (const wave of outline.waves.slice(0, outline.waveOf.get(id) ?? 0))
    for (const earlier of wave)
      if (witness.tasks.get(earlier)?.end === '')
        yield `charge of ${id} before the end of ${earlier}`;
  yield* reviewCharge(id, fact, scene);
};

function* reviewCharge(
  id: string,
  { reviews }: Extract<RunFact, { type: 'attempt.started' }>,
  { outline, witness }: Scene,
): Generator<string> {
  for (const reviewer of outline.reviewersOf.get(id) ?? []) {
    const end = witness.tasks.get(reviewer)?.end;
    if (end === 'abandoned' || end === 'held') yield `charge of ${id}, whose reviewer is ${end}`;
  }
  const author = outline.authorOf.get(id);
  if (author === undefined) {
    if (reviews) yield `${id} reviews, and its row does not`;
    return;
  }
  const theirs = witness.tasks.get(author);
  if (theirs?.end === 'complete' && !reviews) return;
  if (`${reviews?.taskId}` !== author) yield `${id} reviews ${reviews?.taskId}, not ${author}`;
  if (!theirs?.requested) yield `review of ${author}, whose work is not checked`;
  else if (reviews?.attempt !== theirs.requested)
    yield `${id} looks at attempt ${reviews?.attempt} of ${author}, not at ${theirs.requested}`;
}

const boundOf = ({ plan, outline }: Scene): number =>
  outline.live
    .map((id) => Math.max(0, plan.policy.maxAttempts - (outline.attempts.get(id) ?? 0)))
    .reduce((sum, left) => sum + left, 0);

/** Whatever is told of an attempt is of one that is open, and of a task that has not ended. */
export const attemptRule: Rule = function* (fact, { witness, outline }) {
  if (!('taskId' in fact)) return;
  const id = `${fact.taskId}`;
  const task = witness.tasks.get(id);
  if (!task) return yield `${fact.type} of ${id}, which the plan does not have`;
  if (task.end !== '') yield `${fact.type} of ${id}, which is ${task.end}`;
  switch (fact.type) {
    case 'attempt.spawned':
    case 'attempt.replied':
    case 'attempt.checked':
    case 'review.requested':
      if (fact.attempt !== task.live)
        yield `${fact.type} ${fact.attempt} of ${id}: ${task.live} runs`;
      break;
    case 'attempt.closed':
      if (![task.live, task.requested, task.accepted].includes(fact.attempt))
        yield `attempt ${fact.attempt} of ${id} closed, and it is not open`;
      break;
    case 'attempt.accepted':
      if (fact.attempt !== (outline.reviewersOf.has(id) ? task.requested : task.live))
        yield `attempt ${fact.attempt} of ${id} accepted, and it is not at its end`;
      break;
    case 'task.completed':
      if (fact.attempt !== task.accepted)
        yield `${id} completed by attempt ${fact.attempt}, not accepted`;
      break;
    case 'task.abandoned':
    case 'task.held':
      if (fact.attempt !== task.charged)
        yield `${fact.type} ${fact.attempt} of ${id} at ${task.charged}`;
      if (task.live + task.requested + task.accepted > 0)
        yield `${fact.type} of ${id} with an open attempt`;
      break;
    case 'task.replayed':
      if (task.charged > (outline.attempts.get(id) ?? 0)) yield `replay of ${id} after a charge`;
      break;
  }
};
