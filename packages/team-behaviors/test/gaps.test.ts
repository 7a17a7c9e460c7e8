import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type AuditLedger,
  answerGap,
  type EscalatedTask,
  escalateFn,
  type Gap,
  gapLatch,
  memoryLedger,
  recordPostMortem,
  refusedTasks,
  stoppedLines,
  taskGapId,
} from '../src/index.ts';
import { codeOf } from './code-of.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const escalation: EscalatedTask = {
  ...{ task_id: 'T-1', worker: 'be', category: 'capacity', last_status: 'exit: 1' },
};

const broken: AuditLedger = {
  append: () => {
    throw new Error('disk');
  },
  list: () => [],
  latch: () => {
    throw new Error('disk\u001b[2J');
  },
};

describe('the latch', () => {
  const persona = (gapId: string): Gap => ({ kind: 'persona', gapId, description: 'd' });

  it('TB-40: books a gap once, whatever is called how often, and each gap by itself', () => {
    const ledger = memoryLedger({ now: () => 0 });
    const latch = gapLatch({ ledger, teamId: 't' });
    const rows = Array.from({ length: 6 }, () => latch.escalate(persona('designer')));
    expect(rows.map((row) => row?.id ?? null)).toEqual([1, null, null, null, null, null]);
    expect(latch.escalate(persona('writer'))?.payload).toEqual({
      ...{ gap_id: 'writer', description: 'd', gap_kind: 'persona' },
    });
    expect(gapLatch({ ledger, teamId: 'u' }).escalate(persona('designer'))).not.toBeNull();
    expect([latch.has('designer'), latch.has('T-1')]).toEqual([true, false]);
    expect(ledger.list({ teamId: 't' })).toHaveLength(2);
  });

  it.each(['task-T-1', '', '["post-mortem","x",0]', 'a'.repeat(101), 'a\n'])(
    'refuses %j as the gap of a persona: it would silence another',
    (gapId) => {
      const ledger = memoryLedger({ now: () => 0 });
      const latch = gapLatch({ ledger, teamId: 't' });
      expect(codeOf(() => latch.escalate(persona(gapId)))).toBe('INVALID_GAP_ID');
      expect(ledger.rows).toEqual([]);
    },
  );
});

describe('an escalation', () => {
  it('TB-42: goes to the sink first, then to the ledger with its category', () => {
    const seen: string[] = [];
    const ledger = memoryLedger({ now: () => 0 });
    const fn = escalateFn<EscalatedTask>({
      latch: gapLatch({ ledger, teamId: 't' }),
      sink: (_, key) => seen.push(`${key} ${ledger.rows.length}`),
    });
    fn(escalation, 'k1');
    fn(escalation, 'k2');
    expect(seen).toEqual(['k1 0', 'k2 1']);
    expect(ledger.rows.map(({ eventType, payload }) => [eventType, payload])).toEqual([
      [
        'persona_gap_escalation',
        {
          ...{ gap_id: 'task-T-1', gap_kind: 'task-abandon', task_id: 'T-1', category: 'capacity' },
          description: 'task T-1 was abandoned: category capacity, last status exit: 1, worker be',
        },
      ],
    ]);
  });

  it('TB-42: reaches the sink when the ledger fails, and the failure is told and thrown nowhere', () => {
    const sink = vi.fn(() => 'taken');
    const onLedgerFailure = vi.fn(() => {
      throw new Error('telling failed');
    });
    const fn = escalateFn<EscalatedTask>({
      ...{ latch: gapLatch({ ledger: broken, teamId: 't' }), sink, onLedgerFailure },
    });
    expect(fn(escalation, 'k')).toBe('taken');
    expect(sink).toHaveBeenCalledOnce();
    expect(onLedgerFailure).toHaveBeenCalledOnce();
  });

  it('without a sink is a warning, and so is a ledger that fails; no text in them is obeyed', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    escalateFn({ latch: gapLatch({ ledger: broken, teamId: 't' }) })(
      { ...escalation, worker: null, last_status: '\u001b[2J' },
      'k',
    );
    expect(warned.mock.calls.flat()).toEqual([
      'WARNING escalation task=T-1 worker=- category=capacity last_status=\\x1b[2J',
      'WARNING the ledger has no row for the escalation of task T-1: Error: disk\\x1b[2J',
    ]);
  });

  it('TB-44: is booked though the sink throws or rejects, and the engine hears of it', async () => {
    const ledger = memoryLedger({ now: () => 0 });
    const latch = gapLatch({ ledger, teamId: 't' });
    const throwing = escalateFn<EscalatedTask>({
      latch,
      sink: () => {
        throw new Error('sink');
      },
    });
    expect(() => throwing(escalation, 'k')).toThrow('sink');
    const rejecting = escalateFn<EscalatedTask>({
      latch,
      sink: () => Promise.reject(new Error('later')),
    });
    await expect(rejecting({ ...escalation, task_id: 2 }, 'k')).rejects.toThrow('later');
    expect(ledger.rows.map(({ payload }) => payload['task_id'])).toEqual(['T-1', '2']);
  });

  it('of a stopped run books no gap of the task it stopped at', () => {
    const ledger = memoryLedger({ now: () => 0 });
    const sink = vi.fn();
    const fn = escalateFn<EscalatedTask>({ latch: gapLatch({ ledger, teamId: 't' }), sink });
    fn({ ...escalation, scope: 'run' }, 'k1');
    expect(ledger.rows).toEqual([]);
    fn(escalation, 'k2');
    expect(ledger.rows).toHaveLength(1);
    expect(sink).toHaveBeenCalledTimes(2);
  });

  it('whatever is escalated in whatever order: the sink has all, the ledger each task once', () => {
    const tasks = fc.array(fc.oneof(fc.constantFrom('a', 'b', 1, '1'), fc.string()), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(tasks, (ids) => {
        const ledger = memoryLedger({ now: () => 0 });
        const taken: unknown[] = [];
        const fn = escalateFn<EscalatedTask>({
          latch: gapLatch({ ledger, teamId: 't' }),
          sink: ({ task_id }) => taken.push(task_id),
        });
        for (const task_id of ids) fn({ ...escalation, task_id }, 'k');
        expect(taken).toEqual(ids);
        expect(ledger.rows.map(({ payload }) => payload['task_id'])).toEqual([
          ...new Set(ids.map(String)),
        ]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a post-mortem', () => {
  function bench() {
    const ledger = memoryLedger({ now: () => 0 });
    const fn = escalateFn<EscalatedTask>({
      latch: gapLatch({ ledger, teamId: 't' }),
      sink: () => undefined,
    });
    const gapId = taskGapId('T-1');
    return {
      ledger,
      escalate: () => fn(escalation, 'k'),
      write: () => recordPostMortem({ ledger, teamId: 't', gapId, reason: 'Nobody came.' }),
      answer: (how: 'ack' | 'retry') =>
        answerGap(how, { ledger, teamId: 't', gapId, by: 'ann', note: 'seen' }),
      stopped: () => stoppedLines(ledger, ['s', 't']),
    };
  }

  it('TB-90: is refused for what was never escalated, and is written once', () => {
    const { ledger, escalate, write } = bench();
    expect(codeOf(write)).toBe('GAP_UNKNOWN');
    escalate();
    expect(write()?.payload).toEqual({ gap_id: 'task-T-1', reason: 'Nobody came.' });
    expect([write(), write()]).toEqual([null, null]);
    expect(ledger.rows).toHaveLength(2);
    const whole = { ledger, teamId: 't', gapId: null, reason: 'No consensus.' };
    expect(recordPostMortem(whole)?.payload).toEqual({ gap_id: null, reason: 'No consensus.' });
    expect(recordPostMortem(whole)).toBeNull();
  });

  it('stops its task until somebody answers', () => {
    const { escalate, write, answer, stopped } = bench();
    escalate();
    expect(stopped()).toEqual([]);
    write();
    expect(stopped()).toEqual([
      {
        ...{ teamId: 't', gapId: 'task-T-1', taskId: 'T-1', reason: 'Nobody came.' },
        since: '1970-01-01T00:00:00.000Z',
      },
    ]);
    answer('ack');
    expect(stopped()).toEqual([]);
  });

  it('TB-46: can be written again for a gap that was answered and stands open again; the latch still holds', () => {
    const { ledger, escalate, write, answer, stopped } = bench();
    escalate();
    write();
    answer('retry');
    escalate();
    expect(write()).not.toBeNull();
    expect(write()).toBeNull();
    expect(stopped()).toHaveLength(1);
    expect(ledger.list({ teamId: 't', eventType: 'persona_gap_escalation' })).toHaveLength(1);
  });

  it('TB-47: an answer needs a gap and a name, and says what was answered', () => {
    const { ledger, escalate, answer } = bench();
    expect(codeOf(() => answer('ack'))).toBe('GAP_UNKNOWN');
    escalate();
    expect(answer('ack')).toMatchObject({
      eventType: 'persona_gap_ack',
      payload: { gap_id: 'task-T-1', by: 'ann', note: 'seen' },
    });
    expect(answer('retry').eventType).toBe('persona_gap_retry');
    const nobody = { ledger, teamId: 't', gapId: 'task-T-1', by: ' ' };
    expect(codeOf(() => answerGap('ack', nobody))).toBe('INVALID_TEXT');
  });

  it('refuses its task and all that depend on it, however far, and nothing else', () => {
    const { escalate, write, stopped } = bench();
    escalate();
    write();
    const tasks = [
      { id: 'c', upstream: ['b', 'other'] },
      { id: 'b', upstream: ['T-1'] },
      { id: 'other', upstream: [] },
      { id: 'T-1', upstream: ['c'] },
    ];
    expect(refusedTasks(tasks, stopped()).map(({ taskId, line }) => [taskId, line.gapId])).toEqual([
      ['c', 'task-T-1'],
      ['b', 'task-T-1'],
      ['T-1', 'task-T-1'],
    ]);
    expect(refusedTasks(tasks, [])).toEqual([]);
    // Its task is not in the plan any more, and yet what says that it depends on it is refused.
    expect(refusedTasks([{ id: 'b', upstream: ['T-1'] }], stopped())).toHaveLength(1);
  });
});
