import { compareIds } from '../core/id-order.ts';
import type { Integration, RunInput } from '../core/input.ts';
import { type RunState, workUnderIntegration } from '../core/state.ts';
import type { Acceptance, IntegrationContext } from './acceptance.ts';
import { bounded, whyNot } from './bounded.ts';
import { worksOf } from './context-of.ts';
import type { RunSetup } from './options.ts';
import { OVER } from './over.ts';

interface IntegrationSeams {
  readonly setup: RunSetup;
  readonly interrupt: AbortSignal;
  readonly put: (input: RunInput) => void;
}

/** Has the accepted work of the open wave brought together, bounded. Never rejects. */
export async function integrateWave(
  state: RunState,
  { setup, interrupt, put }: IntegrationSeams,
): Promise<RunInput> {
  const { wave, runId } = state;
  const { acceptance, clock, policy } = setup;
  if (!wave) return { kind: 'integrated', results: [] };
  const accepted = worksOf(
    workUnderIntegration(state).sort((a, b) => compareIds(a.task.id, b.task.id)),
  );
  // Accepted under an acceptance that integrates, resumed under one that does not.
  const { integrate: merge = mergeAll } = acceptance;
  const cancel = new AbortController();
  const { index, group } = wave;
  const context: IntegrationContext = {
    signal: cancel.signal,
    passed: new Map(wave.checks),
    pass: (stage, evidence) =>
      put({
        ...{ kind: 'integration-checked', wave: index, stage },
        ...(evidence === undefined ? {} : { evidence }),
      }),
  };
  const done = await bounded(
    clock,
    // The work may be merged, tried and taken apart again, each step within a wall clock.
    policy.wallClockMs * (accepted.length + 2),
    () => merge({ runId, index, group }, accepted, context),
    interrupt,
  );
  cancel.abort(OVER);
  if (done.kind !== 'value')
    return { kind: 'integration-failed', detail: `integration failed: ${whyNot(done)}` };
  if (Array.isArray(done.value))
    return { kind: 'integrated', results: done.value.filter(namesTask) };
  return { kind: 'integration-failed', detail: 'integration failed: no list of verdicts' };
}

const mergeAll: NonNullable<Acceptance['integrate']> = (_wave, accepted) =>
  accepted.map(({ task }) => ({ kind: 'merged', taskId: task.id }));

const namesTask = (result: Integration | undefined): result is Integration =>
  typeof result?.taskId === 'string' || typeof result?.taskId === 'number';
