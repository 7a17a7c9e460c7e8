import { describe, expect, test } from 'vitest';
import { validatePlan } from '../plan/validate-plan.ts';
import { planFromAgent } from './plan-from-agent.ts';
import type { Proposal, ProposalRequest } from './proposal.ts';

const NOW = '2026-01-31T09:00:00Z';

const task = (id: string, more: object = {}) => ({
  ...{ id, parallel_group: 1, title: `Do ${id}`, description: 'All of it.' },
  writes: [`${id}.txt`],
  ...more,
});

const proposed = (document: unknown): Proposal => ({
  kind: 'proposed',
  text: typeof document === 'string' ? document : JSON.stringify(document),
});

/** Plays the proposals in order, and keeps what was asked for. */
async function plan(script: readonly (Proposal | Error)[], signal?: AbortSignal) {
  const requests: ProposalRequest[] = [];
  const end = await planFromAgent({
    goal: 'Serve tea',
    validate: (document) => validatePlan(document, { now: NOW }),
    propose: async (request) => {
      requests.push(request);
      const next = script[requests.length - 1];
      if (next === undefined) throw new Error('asked too often');
      if (next instanceof Error) throw next;
      return next;
    },
    ...(signal ? { signal } : {}),
  });
  return { end, requests };
}

const GOOD = { goal: 'Something else', tasks: [task('a'), task('b', { parallel_group: 2 })] };

/** Three defects in three places. */
const BAD = {
  tasks: [
    task('a', { depends_on: ['nobody'] }),
    task('b', { parallel_group: 0 }),
    task('c', { colour: 'red' }),
  ],
};

describe('planFromAgent', () => {
  test('§4.3: a valid proposal is the plan, asked for once, under the goal that the person gave', async () => {
    const { end, requests } = await plan([proposed(GOOD)]);
    expect(end).toEqual({
      kind: 'planned',
      attempts: 1,
      plan: { ...GOOD, goal: 'Serve tea' },
    });
    expect(requests).toEqual([{ goal: 'Serve tea', number: 1, signal: expect.anything() }]);
  });

  test('§4.3, §4.6: a refused proposal goes back once, with every defect of it', async () => {
    const { end, requests } = await plan([proposed(BAD), proposed(GOOD)]);
    expect(end).toMatchObject({ kind: 'planned', attempts: 2 });
    const checked = validatePlan({ ...BAD, goal: 'Serve tea' }, { now: NOW });
    expect(checked.ok).toBe(false);
    expect(requests[1]?.refused).toEqual({
      text: JSON.stringify(BAD),
      issues: checked.ok ? [] : checked.issues,
    });
    expect(requests[1]?.refused?.issues.map(({ path }) => path)).toEqual([
      'tasks[0].depends_on[0]',
      'tasks[1].parallel_group',
      'tasks[2].colour',
    ]);
  });

  test('§4.3: two refused proposals are an escalation that has both, and there is no third', async () => {
    const worse = { tasks: [task('a', { depends_on: ['a'] })] };
    const { end, requests } = await plan([proposed(BAD), proposed(worse)]);
    expect(requests).toHaveLength(2);
    expect(end).toMatchObject({
      kind: 'escalated',
      escalation: {
        kind: 'dag-invalid',
        attempts: 2,
        issues: [{ path: expect.stringContaining('tasks[0].depends_on') }],
        refused: [
          { text: JSON.stringify(BAD), issues: [{}, {}, {}] },
          { text: JSON.stringify(worse) },
        ],
        last: JSON.stringify(worse),
      },
    });
  });

  test.each<[string, Proposal | Error, RegExp]>([
    ['prose', proposed('I would rather not.'), /not valid JSON/],
    ['nothing', proposed('  '), /empty/],
    ['hostile JSON', proposed('{"goal":"x","tasks":[],"__proto__":{}}'), /__proto__/],
    ['a failed attempt', { kind: 'failed', detail: 'exit: code\u001b[2J 7' }, /exit: code\\x1b/],
    ['an attempt that throws', new Error('no such program'), /no such program/],
  ])('§4.3: %s is a synthesis failure, without another attempt', async (_, first, detail) => {
    const { end, requests } = await plan([first, proposed(GOOD)]);
    expect(requests).toHaveLength(1);
    expect(end).toMatchObject({
      kind: 'escalated',
      escalation: { kind: 'synthesis-failure', attempts: 1, issues: [], refused: [] },
    });
    expect(end.kind === 'escalated' && end.escalation.detail).toMatch(detail);
  });

  test('§4.3: garbage after a refusal is a synthesis failure that still has the refused proposal', async () => {
    const { end } = await plan([proposed(BAD), proposed('sorry')]);
    expect(end).toMatchObject({
      escalation: { kind: 'synthesis-failure', attempts: 2, refused: [{}], last: 'sorry' },
    });
  });

  test('a list, or a document without tasks, is refused with its defects, not garbage', async () => {
    for (const document of [[task('a')], {}, { tasks: 'all' }, { tasks: [] }]) {
      const { end, requests } = await plan([proposed(document), proposed(GOOD)]);
      expect(end.kind).toBe('planned');
      expect(requests[1]?.refused?.issues.length).toBeGreaterThan(0);
    }
  });

  test('a proposal can not say that something has happened to its tasks', async () => {
    const cheating = [task('a', { status: 'complete', attempts: 4, created_at: NOW }), 'x', null];
    const { requests } = await plan([proposed({ tasks: cheating }), proposed(GOOD)]);
    const paths = requests[1]?.refused?.issues.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['tasks[0].status', 'tasks[0].attempts', 'tasks[0].created_at']),
    );
  });

  test('nothing is asked for once it is to stop, and a stopped attempt is no failure of the agent', async () => {
    const stop = new AbortController();
    const { end, requests } = await plan(
      [
        new Proxy(proposed(BAD), {
          get: (target, key) => {
            stop.abort();
            return Reflect.get(target, key);
          },
        }),
      ],
      stop.signal,
    );
    expect(requests).toHaveLength(1);
    expect(end).toEqual({ kind: 'interrupted', attempts: 1 });
    const { end: never, requests: none } = await plan([], AbortSignal.abort());
    expect([never, none]).toEqual([{ kind: 'interrupted', attempts: 0 }, []]);
  });
});
