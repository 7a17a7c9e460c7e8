import type { RunInput } from '../../src/core/input.ts';
import type { RunFact, RunState } from '../../src/index.ts';
import { ALL_RULES } from './all-rules.ts';
import type { Decider } from './decider.ts';
import type { FactBook } from './fact-book.ts';
import { copyOf } from './frozen.ts';
import type { Move } from './move.ts';
import type { Scene } from './rule.ts';
import { type Witness, witnessFact } from './witness.ts';

/** A run at one point: its fold, and what was seen of it. */
export interface Point {
  readonly state: RunState;
  readonly witness: Witness;
}

/** Where a move has led. */
export interface Step extends Point {
  /** The numbers of what was decided on the way. */
  readonly facts: readonly number[];
  readonly broken: readonly string[];
}

export interface Surroundings extends Pick<Scene, 'plan' | 'outline'> {
  readonly book: FactBook;
  readonly decider: Decider;
}

/** Makes a move as the shell would, away from a point that stays as it is. Undefined when nothing follows. */
export function stepFrom(from: Point, move: Move, around: Surroundings): Step | undefined {
  const { decide } = around.decider;
  const input = inputOf(move, from.state);
  let batch = decide(from.state, input);
  if (batch.length === 0) return undefined;
  const step = { state: copyOf(from.state), witness: copyOf(from.witness) };
  const merged = mergedBy(input);
  const facts: number[] = [];
  const broken: string[] = [];
  while (batch.length > 0 && broken.length === 0) {
    for (const fact of batch) {
      const scene = { ...around, witness: step.witness, batch, merged };
      for (const rule of ALL_RULES) broken.push(...rule(fact, scene));
      const number = around.book.enter(fact);
      facts.push(number);
      takeIn(step, around.book.decided(number), around);
    }
    batch = isRepeated(move) ? decide(step.state, input) : [];
    // The shell lets go of its workers before it records the last fact.
    if (move.does === 'bookkeeping' && batch[0]?.type === 'run.finished') break;
  }
  return { ...step, facts, broken };
}

/** Folds a fact into a point. */
export function takeIn(
  { state, witness }: Point,
  fact: RunFact,
  { decider, outline }: Pick<Surroundings, 'decider' | 'outline'>,
): void {
  decider.evolve(state, { ...fact, runId: 'r', seq: state.seq + 1, at: '' });
  witnessFact(witness, fact, outline);
}

function inputOf({ does }: Move, { policy }: RunState): RunInput {
  if (does === 'bookkeeping') return { kind: 'advance' };
  return does === 'crash' ? { kind: 'resume', policy } : does;
}

/** Of an integration each fact may change what the next one says. */
const isRepeated = ({ does }: Move): boolean =>
  does === 'bookkeeping' || (does !== 'crash' && does.kind === 'integrated');

const mergedBy = (input: RunInput): ReadonlySet<string> | undefined =>
  input.kind === 'integrated'
    ? new Set(
        input.results.flatMap(({ kind, taskId }) => (kind === 'merged' ? [String(taskId)] : [])),
      )
    : undefined;
