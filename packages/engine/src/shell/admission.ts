import { runnable } from '../core/advance.ts';
import type { Replayable } from '../core/input.ts';
import type { RunState, TaskState } from '../core/state.ts';
import { noticesIn } from './audit.ts';
import { bounded, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import { contextOfNext } from './context-of.ts';
import type { GateAnswer } from './gate.ts';
import type { Observers } from './observers.ts';
import type { RunSetup } from './options.ts';
import type { Recall } from './recall.ts';
import type { Recorder } from './recorder.ts';

/** The shortest time between two questions to a gate that says wait. */
const SHORTEST_WAIT_MS = 100;

/** A gate that takes longer is not asked again before its last answer is acted on. */
const SLOW_GATE_MS = 5;

interface AdmissionSeams {
  readonly state: RunState;
  readonly setup: RunSetup;
  readonly record: Recorder;
  readonly observers: Observers;
  /** Called when a wait is over. */
  readonly wake: () => void;
  /** Aborted when the run is over. */
  readonly over: AbortSignal;
}

type Refusal = Omit<Extract<GateAnswer, { readonly kind: 'park' }>, 'kind'>;

interface Memory {
  readonly contentKey?: string;
  readonly replayable?: Replayable | undefined;
}

const NO_MEMORY: Memory = {};

/**
 * Charges one attempt after another while there is a slot, a task and the gate's leave. The function it
 * returns resolves to whether anything was decided.
 */
export function admission({
  state,
  setup,
  record,
  observers,
  wake,
  over,
}: AdmissionSeams): () => Promise<boolean> {
  const { clock, gate, runId } = setup;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let known: { readonly place: string; readonly memory: Memory } | undefined;

  const ask = async ({ task, attempts }: TaskState): Promise<GateAnswer> => {
    const answer = await bounded(
      clock,
      BOUNDS.gateMs,
      () => gate({ runId, task, attempt: attempts + 1 }),
      setup.signal,
    );
    if (answer.kind === 'value') return answer.value;
    if (answer.kind === 'cut') return { kind: 'wait', ms: 0, reason: whyNot(answer) };
    const detail = `the gate failed: ${whyNot(answer)}`;
    return { kind: 'park', cause: 'gate-failed', detail };
  };

  const remember = async ({ task, attempts }: TaskState, recall: Recall): Promise<Memory> => {
    // What a merge brings in may be what it depends on.
    const place = `${state.wave?.index} ${state.wave?.terminal.size} ${attempts} ${task.id}`;
    if (known?.place === place) return known.memory;
    const found = await bounded(
      clock,
      BOUNDS.recallMs,
      async () => {
        const contentKey = await recall.contentKey(contextOfNext(state, task.id));
        if (contentKey === undefined) return NO_MEMORY;
        return attempts > 0
          ? { contentKey }
          : { contentKey, replayable: await recall.find(contentKey) };
      },
      setup.signal,
    );
    const memory = found.kind === 'value' ? found.value : NO_MEMORY;
    // A gate that says wait is asked again and again, and nothing of this changes meanwhile.
    known = { place, memory };
    return memory;
  };

  return async () => {
    let decided = false;
    for (let next = runnable(state); next; next = runnable(state)) {
      if (clock.now() < closedUntil) break;
      const { id: taskId } = next.task;
      const { recall } = setup;
      const { contentKey, replayable } = recall ? await remember(next, recall) : NO_MEMORY;
      const before = state.seq;
      if (replayable) record.step({ kind: 'replay', taskId, ...replayable });
      if (state.seq > before) {
        decided = true;
        continue;
      }
      const asked = clock.now();
      const answer = await ask(next);
      if (answer?.kind === 'wait') {
        const waitMs = Math.max(SHORTEST_WAIT_MS, Number(answer.ms) || 0);
        closedUntil = clock.now() + waitMs;
        observers.signal({ kind: 'gate', taskId, reason: answer.reason, waitMs });
        void clock.sleep(waitMs, over).then(wake);
        break;
      }
      if (answer?.kind === 'go') {
        const key = contentKey === undefined ? {} : { contentKey };
        const { terms } = answer;
        record.step({
          kind: 'dispatch',
          taskId,
          nonce: setup.nonce(),
          ...key,
          ...(terms === undefined ? {} : { terms }),
          ...(next.closure ? {} : noticesIn(setup.audit, { kind: 'task', task: next.task })),
        });
      } else {
        const unanswered = { cause: 'gate-failed', detail: 'the gate gave no answer' } as const;
        const {
          detail,
          resumeAt,
          cause = 'gate',
        }: Refusal = answer?.kind === 'park' ? answer : unanswered;
        const parking = { cause, detail, ...(resumeAt === undefined ? {} : { resumeAt }) };
        record.step({ kind: 'park', taskId, parking });
      }
      decided = true;
      // What is charged starts now, not when a slow gate has answered for every slot.
      if (clock.now() - asked > SLOW_GATE_MS) break;
    }
    return decided;
  };
}
