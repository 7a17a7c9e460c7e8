import { poolOfMode, type Shortage } from '@atelier/budget';
import {
  type AttemptTerms,
  type Gate,
  isClosed,
  type RunEvent,
  type Task,
  taskKey,
  type Usage,
  type WorkOrder,
} from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { UsageError } from '../command.ts';
import type { SpendLimit } from '../spend-limit.ts';
import { attemptKey } from './attempts-of.ts';
import { bookkeeper, priced } from './bookkeeper.ts';
import { estimator } from './estimator.ts';
import { kindOf, type ModelChoice, modelOf } from './model-of.ts';

export interface SpendingOptions {
  readonly choice: ModelChoice;
  readonly limit: SpendLimit;
  readonly tasks: readonly Task[];
  /** What the run has been through already: it is charged again, whatever the limit is by now. */
  readonly history: readonly RunEvent[];
  /** What other runs have used for this one, such as its meeting: it is charged first, and over. */
  readonly before?: readonly RunEvent[];
}

/** What a run spends, as it spends it. */
export interface Spending {
  /** Gives each attempt its terms, or parks the run when what is left is not enough for it. */
  readonly gate: Gate;
  /** Why what is left is not enough for a first attempt at a task; undefined when it is. */
  shortage(task: Task): string | undefined;
  readonly onEvent: (event: RunEvent) => void;
  readonly modelOf: (task: Task) => string | undefined;
  /** What a worker has used so far. `cut`: it is past its estimate, and the run past its limit. */
  readonly onUsage: (order: WorkOrder, usage: Usage) => 'go' | 'cut';
}

/** What a worker may use between two words of the proxy about it. Kept back for each, so that no limit is passed. */
const STEP = { outputTokens: 256, costUsd: 0.01 };

/** While attempts run, what they do not use comes back. */
const ASK_AGAIN_MS = 1_000;

/**
 * The spending of a run, from its own journal: charges reserve, ends settle. Throws a {@link UsageError} for a limit in
 * dollars of what has no price, and for a tier that the agent does not have.
 */
export function spendingOf(options: SpendingOptions): Spending {
  const { choice, limit, tasks, history, before = [] } = options;
  const expected = estimator();
  const totals = { outputTokens: limit.tokens, costUsd: limit.usd };
  const pool = poolOfMode(choice.mode, { ...totals, step: STEP });
  const termsOf = (task: Task): Required<Pick<AttemptTerms, 'estimate'>> & AttemptTerms => {
    const model = modelOf(task, choice);
    const estimate = expected.estimate(kindOf(task, model), model);
    return { ...(model === undefined ? {} : { model }), estimate };
  };
  const terms = tasks.filter((task) => !isClosed(task)).map((task) => termsOf(task));
  if (limit.usd !== undefined) assertPriced(terms);
  const byKey = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const earlier = bookkeeper(pool, {
    keyOf: ({ runId, taskId, attempt }) => JSON.stringify([runId, taskKey(taskId), attempt]),
  });
  for (const event of before) earlier.onEvent(event);
  earlier.settleOpen();
  const { onEvent } = bookkeeper(pool, {
    keyOf: ({ taskId, attempt }) => attemptKey(taskId, attempt),
    learn(taskId, model, spent) {
      const task = byKey.get(taskKey(taskId));
      if (task) expected.learn(kindOf(task, model), spent);
    },
  });
  for (const event of history) onEvent(event);
  return {
    onEvent,
    shortage(task) {
      const short = pool.shortage(termsOf(task).estimate);
      return short && shortText(short);
    },
    modelOf: (task) => modelOf(task, choice),
    gate({ task, attempt }) {
      const terms = termsOf(task);
      const short = pool.shortage(terms.estimate);
      if (!short) {
        // Here and not with the charge: several are let go before the first charge is told.
        pool.reserve(attemptKey(task.id, attempt), terms.estimate);
        return { kind: 'go', terms };
      }
      const { outputTokens, costUsd } = pool.state().reserved;
      const detail = shortText(short);
      return outputTokens + costUsd > 0
        ? { kind: 'wait', ms: ASK_AGAIN_MS, reason: detail }
        : { kind: 'park', cause: 'budget', detail };
    },
    onUsage({ task, attempt, terms }, usage) {
      const noted = pool.note(attemptKey(task.id, attempt), priced(terms?.model, usage));
      return noted === 'over' ? 'cut' : 'go';
    },
  };
}

function assertPriced(terms: readonly AttemptTerms[]): void {
  const unpriced = terms.find(({ estimate }) => estimate?.costUsd === undefined);
  if (!unpriced) return;
  throw new UsageError(
    unpriced.model === undefined
      ? 'a budget in dollars needs a model with a price, and this agent names none'
      : `a budget in dollars needs a model with a price, and ${printable(unpriced.model, 60)} has none`,
    'Give the budget in output tokens, for example --budget 500k, and take usd out of the budget of the plan, if it is there.',
  );
}

function shortText({ kind, ceiling, left, asked }: Shortage): string {
  const amount = (value: number) =>
    kind === 'money' ? `$${value.toFixed(2)}` : `${Math.floor(value)} output tokens`;
  const need = asked === null ? 'an unknown amount' : amount(asked);
  return `the budget does not allow another attempt: it may need ${need}, and ${amount(left)} of ${amount(ceiling)} are left`;
}
