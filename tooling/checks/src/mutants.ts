import type { Mutant } from './mutant.ts';
import { TEAM_MUTANTS } from './team-mutants.ts';

const ENGINE = ['packages/engine'];

const ACCEPTANCE = [
  'packages/acceptance/src',
  'packages/acceptance/test/guard.test.ts',
  'packages/acceptance/test/stages.test.ts',
  'packages/acceptance/test/integrate.test.ts',
];

/** The promises that the product rests on. A mutant that survives is a promise without a test. */
export const MUTANTS: readonly Mutant[] = [
  {
    guard: 'the attempt budget, where an attempt fails',
    file: 'packages/engine/src/core/decide.ts',
    find: '(attempt >= state.policy.maxAttempts && !defers(closure))',
    replace: '(attempt > state.policy.maxAttempts && !defers(closure))',
    tests: ENGINE,
  },
  {
    guard: 'the attempt budget, for a row that comes in with it spent',
    file: 'packages/engine/src/core/advance.ts',
    find: 'if (spent && !(state.paused && defers(spent.closure))) return spend(state, spent);',
    replace: '',
    tests: ENGINE,
  },
  {
    guard: 'the barrier',
    file: 'packages/engine/src/core/advance.ts',
    find: 'wave.outstanding.size === 0',
    replace: 'wave.running.size === 0 && !headOf(state)',
    tests: ENGINE,
  },
  {
    guard: 'the barrier predicate',
    file: 'packages/engine/src/core/wave-gate.ts',
    find: 'tracker.expected.every((id)',
    replace: 'tracker.expected.some((id)',
    tests: ENGINE,
  },
  {
    guard: 'the cascade',
    file: 'packages/engine/src/core/advance.ts',
    find: 'if (doomed) return cascade(state, doomed);',
    replace: '',
    tests: ENGINE,
  },
  {
    guard: 'the cascade of earlier runs',
    file: 'packages/engine/src/core/lay-out.ts',
    find: "if (phase === 'abandoned' || phase === 'held') doomDependents(state, key);",
    replace: 'void [phase, doomDependents, key];',
    tests: ENGINE,
  },
  {
    guard: 'journal, then act',
    file: 'packages/engine/src/shell/recorder.ts',
    find: 'await bounded(clock, BOUNDS.journalMs, () => journal.append(events));',
    replace: 'await bounded(clock, 1, () => void setTimeout(() => journal.append(events)));',
    tests: ENGINE,
  },
  {
    guard: 'the confirming read',
    file: 'packages/engine/src/shell/worker.ts',
    find: 'const seen = await confirmingRead(starting.current(), order, clock);',
    replace: 'const seen = undefined as Closure | undefined;',
    tests: ENGINE,
  },
  {
    guard: 'the confirming read validates',
    file: 'packages/engine/src/shell/worker.ts',
    find: "return closure.kind === 'rejected' ? undefined : closure;",
    replace: "return { ...closure, kind: 'done' } as Closure;",
    tests: ENGINE,
  },
  {
    guard: 'the escalation is in the transaction of its abandonment',
    file: 'packages/engine/src/shell/recorder.ts',
    find: '() => journal.append(events));',
    replace: 'async () => { for (const event of events) await journal.append([event]); });',
    tests: ENGINE,
  },
  {
    guard: 'a worker is gone before its task is dispatched again',
    file: 'packages/engine/src/shell/worker.ts',
    find: 'await handle?.stop(reason);',
    replace: 'void reason; void handle;',
    tests: ENGINE,
  },
  {
    guard: 'an attempt is charged once',
    file: 'packages/engine/src/core/decide.ts',
    find: 'if (!task || !isDue(state, task) ||',
    replace: 'if (!task || !isDue ||',
    tests: ENGINE,
  },
  {
    guard: 'a stale end of an attempt changes nothing',
    file: 'packages/engine/src/core/decide.ts',
    find: "if (task?.phase !== 'running' || task.attempts !== input.attempt) return [];",
    replace: 'if (!task) return [];',
    tests: ENGINE,
  },
  {
    guard: 'identity comes from the dispatch record',
    file: 'packages/engine/src/core/judge.ts',
    find: 'validateReply(input, { taskId, attempt })',
    replace:
      'validateReply(input, { ...(input as object), taskId, attempt: Number((input as { attempt: number }).attempt) })',
    tests: ENGINE,
  },
  {
    guard: 'nothing is spent on doubt',
    file: 'packages/engine/src/shell/admission.ts',
    find: "if (answer.kind === 'value') return answer.value;",
    replace: "return answer.kind === 'value' ? answer.value : { kind: 'go' };",
    tests: ENGINE,
  },
  {
    guard: 'a transaction is all or nothing',
    file: 'packages/store-sqlite/src/connection.ts',
    find: '.immediate(',
    replace: '.deferred(',
    tests: ['packages/store-sqlite'],
  },
  {
    guard: 'a review is of the attempt that counts',
    file: 'packages/engine/src/core/evolve.ts',
    find: 'for (const reviewer of reviewersOf(state, task)) withdrawApproval(state, reviewer);',
    replace: 'void withdrawApproval;',
    tests: ENGINE,
  },
  {
    guard: 'all reviewers have to approve',
    file: 'packages/engine/src/core/decide.ts',
    find: 'const last = waiting.every((one) => one === task);',
    replace: 'const last = waiting.length > 0;',
    tests: ENGINE,
  },
  {
    guard: 'a review that ends without a verdict is no approval',
    file: 'packages/engine/src/core/decide.ts',
    find: 'return lost ? [...facts, ...unreviewed(state, author, task, closureStatus(closure))] : facts;',
    replace: 'return lost ? [...facts, ...approval(state, author, { final: false })] : facts;',
    tests: ENGINE,
  },
  {
    guard: 'a reviewer is not the author',
    file: 'packages/engine/src/core/task-issues/review-issues.ts',
    find: 'persona === undefined || theirs === undefined || persona === theirs',
    replace: 'persona === undefined || theirs === undefined',
    tests: ENGINE,
  },
  {
    guard: 'the write scope',
    file: 'packages/acceptance/src/accept/check-scope.ts',
    find: 'if (offenders.length === 0)',
    replace: 'if (offenders.length >= 0)',
    tests: ACCEPTANCE,
  },
  {
    guard: 'a done that changed nothing does not count',
    file: 'packages/acceptance/src/accept/check-changes.ts',
    find: 'if (!isReadOnly && changes.length === 0)',
    replace: 'if (!isReadOnly && changes.length < 0)',
    tests: ACCEPTANCE,
  },
  {
    guard: 'verify has to pass',
    file: 'packages/acceptance/src/accept/verify.ts',
    find: "if (failure === undefined) return { kind: 'passed' };",
    replace: "if (end.kind === 'exited' || failure === undefined) return { kind: 'passed' };",
    tests: ACCEPTANCE,
  },
  {
    guard: 'the branch moves only to what the gate has passed',
    file: 'packages/acceptance/src/integrate/settle.ts',
    find: "if (verdict?.kind !== 'red') return",
    replace: "if (verdict?.kind !== 'red' || rest === offers) return",
    tests: ACCEPTANCE,
  },
  {
    guard: 'a worktree is looked at again before it is removed',
    file: 'packages/worktrees/src/attempt/remove.ts',
    find: "if (!(await isAt(site, record, { look: after ? 'after' : 'saved', tree })))",
    replace:
      "if (!(await isAt(site, record, { look: after ? 'after' : 'saved', tree })) && !saved)",
    tests: ['packages/worktrees/test/remove.test.ts'],
  },
  ...TEAM_MUTANTS,
];
