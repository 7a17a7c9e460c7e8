import { runnable } from '../../src/core/advance.ts';
import { disagreements } from './agreement.ts';
import type { Move } from './move.ts';
import type { Point, Step, Surroundings } from './taken-step.ts';

/** What is wrong with a state, whichever way led to it. */
export function* stateFaults(
  { state, witness }: Point,
  { outline, decider }: Surroundings,
): Generator<string> {
  yield* disagreements(state, witness, outline);
  if (runnable(state) && decider.decide(state, { kind: 'advance' }).length > 0)
    yield 'a task may be charged while bookkeeping is due';
}

/** What is wrong with a move, beyond each of its facts. */
export function* stepFaults(
  from: Point,
  { stale, does }: Move,
  { step, around }: { readonly step: Step; readonly around: Surroundings },
): Generator<string> {
  if (stale) yield 'a stale input has consequences';
  if (does === 'crash' || does === 'bookkeeping') return;
  const next = ({ state }: Point) => around.decider.decide(state, { kind: 'advance' })[0]?.type;
  // The shell asks for the last fact only once, after whatever has come in meanwhile.
  if (next(from) === 'run.finished' && next(step) !== 'run.finished')
    yield 'a run that was about to finish goes on';
}
