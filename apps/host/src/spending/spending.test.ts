import {
  manualClock,
  type RunEvent,
  type RunFact,
  run,
  scriptedTransport,
  type Task,
  type Usage,
  type WorkOrder,
} from '@atelier/engine';
import { describe, expect, it } from 'vitest';
import { attemptsOf } from './attempts-of.ts';
import { modelOf } from './model-of.ts';
import { type SpendingOptions, spendingOf } from './spending.ts';

const tasks: Task[] = ['a', 'b', 'c'].map((id) => ({ id, parallel_group: 1 }));
const choice = { agent: 'claude', mode: 'balanced' } as const;
/** A ceiling of 12,530 tokens under `balanced`: two attempts of a sonnet, with a step kept back for each. */
const limit = { tokens: 17_900 };

const eventsOf = (...facts: RunFact[]): RunEvent[] =>
  facts.map((fact, at) => ({ ...fact, runId: 'r', seq: at + 1, at: '' }));
const started = (taskId: string, attempt = 1): RunFact => ({
  ...{ type: 'attempt.started', taskId, attempt, nonce: 'n' },
  terms: { model: 'claude-sonnet-5-5', estimate: { outputTokens: 6_000, costUsd: 0.07 } },
});
const closed = (taskId: string, usage?: Usage): RunFact => ({
  ...{ type: 'attempt.closed', taskId, attempt: 1 },
  closure: { kind: 'failed', cause: 'exit', detail: '' },
  ...(usage ? { usage } : {}),
});
const accepted = (taskId: string, usage: Usage): RunFact => ({
  ...{ type: 'attempt.accepted', taskId, attempt: 1, usage },
  reply: { type: 'task_result', task_id: taskId, attempt: 1, status: 'done', artifacts: [] },
});
const scene = (over: Partial<SpendingOptions> = {}) =>
  spendingOf({ choice, limit, tasks, history: [], ...over });
const ask = (spending: ReturnType<typeof scene>, id = 'a') =>
  spending.gate({ runId: 'r', task: { id }, attempt: 1 });
const orderOf = (taskId: string): WorkOrder => ({
  ...{ runId: 'r', task: { id: taskId }, attempt: 1, nonce: 'n', briefing: '', wallClockMs: 1 },
  terms: { model: 'claude-sonnet-5-5' },
});

describe('the spending of a run', () => {
  it('names the model and the estimate with each dispatch', () => {
    expect(ask(scene())).toMatchObject({
      kind: 'go',
      terms: { model: 'claude-sonnet-5-5', estimate: { outputTokens: 6_000 } },
    });
  });

  it('waits while attempts run that may give something back, and parks when none does', () => {
    const spending = scene();
    for (const event of eventsOf(started('a'), started('b'))) spending.onEvent(event);
    expect(ask(spending, 'c')).toMatchObject({ kind: 'wait' });
    for (const event of eventsOf(closed('a'), closed('b', { outputTokens: 5_000 })))
      spending.onEvent(event);
    expect(ask(spending, 'c')).toMatchObject({ kind: 'park', cause: 'budget' });
  });

  it("a program's own word does not make its tokens cheaper, neither running nor after a resume", () => {
    const usage = { outputTokens: 1_200_000, costUsd: 0.01 };
    const history = eventsOf(started('a'), closed('a', usage));
    const live = scene({ limit: { usd: 10 } });
    for (const event of history) live.onEvent(event);
    const resumed = scene({ limit: { usd: 10 }, history });
    for (const spending of [live, resumed])
      expect(ask(spending, 'b')).toMatchObject({ kind: 'park', cause: 'budget' });
    expect(attemptsOf(history)[0]?.costUsd).toBeCloseTo(12, 6);
  });

  it('B-19: five workers that start at once are no more than the limit has room for', async () => {
    const clock = manualClock();
    const spending = scene();
    const five = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, parallel_group: 1 }));
    let running = 0;
    let most = 0;
    const report = await clock.runUntil(
      run(five, {
        ...{ runId: 'r', clock, gate: spending.gate, sink: () => undefined },
        policy: { maxWorkers: 5 },
        transport: scriptedTransport(
          ({ task: { id }, attempt }) => ({
            afterMs: 60_000,
            report: {
              kind: 'replied',
              usage: { outputTokens: 6_000 },
              reply: {
                ...{ type: 'task_result', task_id: id, attempt, status: 'done' },
                ...{ artifacts: ['a'], notes_md: '' },
              },
            },
          }),
          { clock },
        ),
        onEvent: (event) => {
          spending.onEvent(event);
          if (event.type === 'attempt.started') running += 1;
          if (event.type === 'attempt.accepted') running -= 1;
          most = Math.max(most, running);
        },
      }),
    );
    expect(most).toBe(2);
    expect(report).toMatchObject({ verdict: 'parked', dispatches: 2 });
  });

  it('what an attempt did not use is there for the next', () => {
    const spending = scene();
    const facts = [started('a'), started('b'), closed('a', { outputTokens: 10 })];
    for (const event of eventsOf(...facts)) spending.onEvent(event);
    expect(ask(spending, 'c')).toMatchObject({ kind: 'go' });
  });

  it('after a crash the journal is charged again, and nothing is free', () => {
    const history = eventsOf(started('a'), closed('a', { outputTokens: 11_000 }), started('b'));
    expect(ask(scene({ history }), 'c')).toMatchObject({ kind: 'wait' });
    expect(ask(scene({ history, limit: { tokens: 100_000 } }), 'c')).toMatchObject({ kind: 'go' });
  });

  it('a worker past its estimate is cut once the limit is passed because of it, the others go on', () => {
    const spending = scene();
    for (const event of eventsOf(started('a'), started('b'))) spending.onEvent(event);
    expect(spending.onUsage(orderOf('a'), { outputTokens: 6_000 })).toBe('go');
    expect(spending.onUsage(orderOf('a'), { outputTokens: 6_019 })).toBe('cut');
    expect(spending.onUsage(orderOf('b'), { outputTokens: 5_000 })).toBe('go');
  });

  it('estimates follow what delivered attempts of the same kind have used, and cost no more in a long run', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({ id: `t${at}`, parallel_group: 1 }));
    const spending = scene({ limit: {}, tasks: many });
    for (const { id } of many) {
      ask(spending, id);
      for (const event of eventsOf(started(id), accepted(id, { outputTokens: 500 })))
        spending.onEvent(event);
    }
    expect(ask(spending, 't1')).toMatchObject({ terms: { estimate: { outputTokens: 500 } } });
  });

  it('an attempt that failed at once teaches nothing of the next', () => {
    const spending = scene({ limit: {} });
    for (const event of eventsOf(started('a'), closed('a', { outputTokens: 5 })))
      spending.onEvent(event);
    expect(ask(spending, 'b')).toMatchObject({ terms: { estimate: { outputTokens: 6_000 } } });
  });

  it('without a limit nothing is held back, and terms are given all the same', () => {
    const spending = scene({ limit: {} });
    for (const event of eventsOf(started('a'), started('b'))) spending.onEvent(event);
    expect(spending.onUsage(orderOf('a'), { outputTokens: 9_999_999 })).toBe('go');
    expect(ask(spending, 'c')).toMatchObject({ kind: 'go' });
  });

  it('a limit in dollars is refused for what has no price, before anything is charged', () => {
    for (const agent of ['command:x', 'codex'])
      expect(() => scene({ choice: { ...choice, agent }, limit: { usd: 5 } })).toThrow(
        expect.objectContaining({ fix: expect.stringContaining('--budget 500k') }),
      );
    expect(ask(scene({ limit: { usd: 5 } }))).toMatchObject({ kind: 'go' });
  });

  it('what a task that is closed would cost is not asked', () => {
    const modelFor = ({ id }: Task) => (id === 'z' ? 'unpriced' : 'claude-sonnet-5-5');
    const given = { choice: { ...choice, modelFor }, limit: { usd: 5 } };
    const z: Task = { id: 'z', parallel_group: 1 };
    expect(() => scene({ ...given, tasks: [...tasks, z] })).toThrow(/unpriced/);
    const rows: Task[] = [...tasks, { ...z, status: 'complete' }];
    expect(ask(scene({ ...given, tasks: rows }))).toMatchObject({ kind: 'go' });
  });

  it('a tier is refused for an agent that has none, before anything is charged', () => {
    expect(() =>
      scene({ choice: { ...choice, agent: 'codex', asked: 'haiku' }, limit: {} }),
    ).toThrow(expect.objectContaining({ fix: expect.stringContaining('of its own') }));
  });

  it('what was spent for it before counts, each attempt by itself, and one without an end as it was expected', () => {
    const turns = ['meet-r-1', 'meet-r-2', 'meet-r-3'].flatMap((runId, index) =>
      eventsOf(started('a'), ...(index < 2 ? [accepted('a', { outputTokens: 3_000 })] : [])).map(
        (event) => ({ ...event, runId }),
      ),
    );
    // Of 12,530 tokens the turns have 3,000, 3,000, and 6,000 for what nobody has told.
    const short = scene({ before: turns });
    expect(short.shortage({ id: 'b' })).toContain('530 output tokens of 12530');
    expect(ask(short, 'a')).toMatchObject({ kind: 'park', cause: 'budget' });
    const spending = scene({ before: turns.slice(0, 2), history: eventsOf(started('b')) });
    expect(ask(spending, 'a')).toMatchObject({ kind: 'wait' });
    expect(scene({ before: turns.slice(0, 2) }).shortage({ id: 'b' })).toBeUndefined();
  });
});

describe('the model of a task', () => {
  it.each([
    [{}, {}, 'claude-sonnet-5-5'],
    [{ difficulty: 'high' }, {}, 'claude-opus-5-5'],
    [{ phase: 'doc' }, {}, 'claude-haiku-5-5'],
    [{ assigned_persona: 'security-engineer-1' }, { mode: 'cost-lean' }, 'claude-opus-5-5'],
    [{}, { mode: 'cost-lean' }, 'claude-haiku-5-5'],
    [{}, { mode: 'quality-lean' }, 'claude-opus-5-5'],
    [{ difficulty: 'high' }, { tier: 'haiku' }, 'claude-haiku-5-5'],
    [{ difficulty: 'high' }, { asked: 'sonnet', tier: 'haiku' }, 'claude-sonnet-5-5'],
    [{}, { asked: 'my-model' }, 'my-model'],
    [{}, { agent: 'codex' }, undefined],
    [{}, { agent: 'codex', asked: 'gpt-5' }, 'gpt-5'],
  ] as const)('%j under %j: %s', (task, over, model) => {
    expect(modelOf({ id: 'a', ...task }, { ...choice, ...over })).toBe(model);
  });
});

describe('the attempts of a run', () => {
  it('are counted once, by what the first word of their end tells', () => {
    const usage = { inputTokens: 1_000, outputTokens: 1_000 };
    const attempts = attemptsOf(
      eventsOf(
        { type: 'wave.opened', wave: 2, group: 7, size: 1 },
        started('a'),
        closed('a', usage),
        closed('a', { outputTokens: 99 }),
        started('b'),
      ),
    );
    expect(attempts).toMatchObject([
      { taskId: 'a', wave: 2, spent: usage, costUsd: 0.012, ended: true },
      { taskId: 'b', spent: {}, costUsd: null, ended: false },
    ]);
  });
});
