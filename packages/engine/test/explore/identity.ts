import { defers } from '../../src/core/causes.ts';
import type { RunState } from '../../src/index.ts';
import type { SmallPlan } from './small-plan.ts';
import { textOf } from './text.ts';
import type { Witness } from './witness.ts';

/** Fixed by the plan, a mere count or name, or told in its own way below. */
const OF_RUN = new Set([
  ...['seq', 'runId', 'policy', 'waves', 'pairing', 'dependents', 'dispatches', 'dispatchBound'],
  ...['escalations', 'undelivered', 'paused', 'tasks', 'wave', 'streak', 'dropped'],
]);
const OF_TASK = new Set(['task', 'key', 'upstreams', 'nonce', 'closure']);
const OF_WITNESS = new Set(['tasks', 'dispatches', 'parkings']);
const OF_WAVE = new Set([
  ...['head', 'doomedHead', 'queue', 'doomed', 'running', 'reviewing', 'terminal', 'outstanding'],
  ...['keys', 'artifacts', 'order'],
]);

/**
 * What tells two states apart. The whole fold and what its witness saw, less what the plan fixes, what only counts or names (`seq`, nonces,
 * words), the order of sets that have none, and how a task that has ended got there: no rule asks for that. What is
 * left out here is still compared between a fold and the fold of its events anew.
 */
export function identityOf(
  state: RunState,
  witness: Witness,
  { tellsHistories }: Pick<SmallPlan, 'tellsHistories'>,
): string {
  const { paused, undelivered, tasks, wave } = state;
  let text = textOf(state, OF_RUN) + textOf(witness, OF_WITNESS);
  // Each parking of a run has an escalation of its own, and no rule asks how many there were.
  const owed = [...undelivered.keys()].filter((key) => !key.includes('/parked/'));
  for (const key of owed.sort()) text += `!${key}`;
  if (paused) text += paused.kind === 'parked' ? paused.parking.cause : paused.kind;
  for (const [id, task] of tasks) {
    const seen = witness.tasks.get(id);
    text += `|${task.phase}${seen?.end}${seen?.escalations}`;
    if (!seen || (seen.end !== '' && !tellsHistories)) continue;
    text += `${tellsHistories ? textOf(task.closure) : task.closure?.kind}`;
    if (task.attempts >= state.policy.maxAttempts) text += defers(task.closure);
    text += textOf(task, OF_TASK) + textOf(seen);
  }
  if (!wave) return text;
  text += `/${wave.queue.slice(wave.head)}/${wave.doomed.slice(wave.doomedHead)}`;
  return `${text}/${[...wave.running].sort()}/${textOf(wave, OF_WAVE)}`;
}
