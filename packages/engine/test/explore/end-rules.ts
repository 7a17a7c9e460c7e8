import type { RunFact } from '../../src/index.ts';
import type { Rule } from './rule.ts';

type Loss = Extract<RunFact, { type: 'task.abandoned' | 'task.held' }>;

const isLoss = (fact: RunFact): fact is Loss =>
  fact.type === 'task.abandoned' || fact.type === 'task.held';

type Raised = Extract<RunFact, { type: 'escalation.raised' }>;

const isRaised = (fact: RunFact): fact is Raised => fact.type === 'escalation.raised';

const ofTask = ({ escalation }: Raised): boolean => escalation.scope !== 'run';

/** A task that ends otherwise than done has one escalation, in the batch that says so; so has a run that is parked. */
export const escalationRule: Rule = function* (fact, { witness, batch }) {
  if (isLoss(fact)) {
    const raised = batch.filter(
      (one) => isRaised(one) && ofTask(one) && one.escalation.task_id === fact.taskId,
    );
    if (raised.length !== 1)
      yield `${fact.type} of ${fact.taskId} with ${raised.length} escalations`;
  }
  const parkings = batch.filter((one) => one.type === 'run.parked' && one.cause !== 'gate').length;
  const ofRun = batch.filter((one) => isRaised(one) && !ofTask(one)).length;
  if (ofRun !== parkings) yield `${ofRun} escalations of a run that parks ${parkings} times`;
  if (!isRaised(fact) || !ofTask(fact)) return;
  const { task_id: id, attempt } = fact.escalation;
  const losses = batch.filter((one) => isLoss(one) && one.taskId === id && one.attempt === attempt);
  if (losses.length !== 1)
    yield `escalation of ${id} in a batch with ${losses.length} losses of it`;
  if ((witness.tasks.get(`${id}`)?.escalations ?? 0) > 0) yield `a second escalation of ${id}`;
};

/** Work is done when it is approved, and merged where it has to be; a reviewer is done with its author. */
export const completionRule: Rule = function* (fact, { plan, outline, witness, batch, merged }) {
  if (fact.type !== 'task.completed') return;
  const id = `${fact.taskId}`;
  const task = witness.tasks.get(id);
  if (task?.lost) yield `${id} is done after it has lost an upstream`;
  for (const reviewer of outline.reviewersOf.get(id) ?? []) {
    const approved = witness.tasks.get(reviewer)?.approved;
    if (approved !== fact.attempt)
      yield `${id} is done by attempt ${fact.attempt}, and ${reviewer} has approved ${approved || 'none'}`;
    if (!batch.some((one) => one.type === 'task.completed' && `${one.taskId}` === reviewer))
      yield `${id} is done without its reviewer ${reviewer}`;
  }
  const author = outline.authorOf.get(id);
  if (author !== undefined && witness.tasks.get(author)?.end !== 'complete')
    yield `the reviewer ${id} is done before ${author}`;
  if (plan.integrates && author === undefined && !merged?.has(id))
    yield `${id} is done without having been merged`;
};

/** Work that stands for a task stands with the approvals that it had. */
export const replayRule: Rule = function* (fact, { outline, batch, witness }) {
  if (fact.type !== 'task.replayed') return;
  const id = `${fact.taskId}`;
  const replays = (other: string) =>
    batch.some((one) => one.type === 'task.replayed' && `${one.taskId}` === other);
  for (const reviewer of outline.reviewersOf.get(id) ?? [])
    if (!replays(reviewer)) yield `${id} is replayed without its reviewer ${reviewer}`;
  const author = outline.authorOf.get(id);
  if (author !== undefined && !replays(author))
    yield `the reviewer ${id} is replayed without ${author}`;
  if (witness.tasks.get(id)?.lost) yield `${id} is replayed after it has lost an upstream`;
  if (outline.waveOf.get(id) !== witness.openWave)
    yield `${id} is replayed outside of the open wave`;
};
