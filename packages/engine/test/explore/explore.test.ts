import { describe, expect, it } from 'vitest';
import type { RunFact, RunState } from '../../src/index.ts';
import { type Decider, OURS } from './decider.ts';
import { explore } from './explore.ts';
import { EDGE, FEW, MERGING, PIPELINE } from './plans.ts';

describe('every interleaving of a small plan', () => {
  it.each(FEW.map((plan) => [plan.name, plan] as const))(
    '%s: keeps every rule and comes to an end',
    (_, plan) => {
      const { fault, states, transitions, stale, verdicts } = explore(plan);
      expect(fault).toBeUndefined();
      expect(transitions).toBeGreaterThan(states);
      expect(stale).toBeGreaterThan(states);
      expect(Object.keys(verdicts)).toEqual(expect.arrayContaining(['abandoned', 'interrupted']));
    },
  );
});

describe('a decider that is broken', () => {
  /** Facts that a broken decider keeps to itself. */
  const without = (lost: (fact: RunFact) => boolean): Decider['decide'] => {
    return (...given) => OURS.decide(...given).filter((fact) => !lost(fact));
  };
  const found = (broken: Partial<Decider>, plan = EDGE) =>
    explore(plan, { ...OURS, ...broken }).fault;

  it('that refunds a charge is found', () => {
    const evolve: Decider['evolve'] = (state, event) => {
      OURS.evolve(state, event);
      const task = event.type === 'attempt.closed' && state.tasks.get(String(event.taskId));
      if (task) task.attempts -= 1;
      return state;
    };
    expect(found({ evolve })).toEqual({
      what: 'a has 0 attempts in the fold, 1 by the facts',
      path: ['start', 'bookkeeping', 'dispatch a#1', 'a#1 abandoned'],
    });
  });

  it('that lets a stale end through is found', () => {
    const decide: Decider['decide'] = (state, input) => {
      const task = input.kind === 'ended' && state.tasks.get(String(input.taskId));
      return OURS.decide(state, task ? { ...input, attempt: task.attempts } : input);
    };
    expect(found({ decide })).toEqual({
      what: 'a stale input has consequences',
      path: ['start', 'bookkeeping', 'dispatch a#1', 'stale: a#0 ended done'],
    });
  });

  it('that leaves out an escalation is found', () => {
    const decide = without(({ type }) => type === 'escalation.raised');
    expect(found({ decide })).toEqual({
      what: 'task.abandoned of a with 0 escalations',
      path: ['start', 'bookkeeping', 'dispatch a#1', 'a#1 abandoned'],
    });
  });

  it('that closes a wave early is found', () => {
    const isEarly = ({ wave }: RunState) => wave?.terminal.size === 1 && wave.running.size === 1;
    const decide: Decider['decide'] = (state, input) =>
      input.kind === 'advance' && isEarly(state)
        ? [{ type: 'wave.closed', wave: state.wave?.index ?? 0, group: state.wave?.group ?? 0 }]
        : OURS.decide(state, input);
    expect(found({ decide })?.what).toBe('wave 0 closed before the end of b');
  });

  it('that keeps something to itself which no event tells is found', () => {
    const decide: Decider['decide'] = (state, input) => {
      if (input.kind === 'interrupt') state.dispatchBound += 1;
      return OURS.decide(state, input);
    };
    expect(found({ decide })?.what).toContain('do not fold to the state');
  });

  it('that tries a failed integration again at once is found', () => {
    const decide = without(
      (fact) =>
        fact.type === 'run.parked' ||
        (fact.type === 'escalation.raised' && fact.escalation.scope === 'run'),
    );
    const evolve: Decider['evolve'] = (state, event) => {
      if (event.type !== 'integration.failed') return OURS.evolve(state, event);
      state.seq = event.seq;
      if (state.wave) delete state.wave.integrating;
      return state;
    };
    expect(found({ decide, evolve }, MERGING)?.what).toMatch(/^a run can go round for ever/u);
  });

  it('that, without barriers, starts a task before what it needs is merged is found', () => {
    const evolve: Decider['evolve'] = (state, event) => {
      OURS.evolve(state, event);
      if (event.type === 'attempt.accepted') state.wave?.order?.waits.fill(0);
      if (event.type === 'attempt.accepted') state.wave?.queue.push('b');
      return state;
    };
    expect(found({ evolve }, PIPELINE)?.what).toBe('charge of b, which waits for a');
  });

  it('that, without barriers, never lets go of who waited is found', () => {
    const evolve: Decider['evolve'] = (state, event) => {
      OURS.evolve(state, event);
      if (event.type === 'task.completed') state.wave?.queue.splice(state.wave.head);
      return state;
    };
    expect(() => found({ evolve }, PIPELINE)).toThrow('none that can start');
  });

  it('that never says that a run is over is found', () => {
    const decide = without(({ type }) => type === 'run.finished');
    expect(found({ decide })?.what).toContain('there is no verdict');
  });
});
