import { displayText, jsonText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { noSuchRow } from '../error.ts';
import type { RunRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import type { EventOf } from './event-of.ts';

const insertRun = statement(
  (tables, slot: Slot<Pick<RunRow, 'run_id' | 'policy_json' | 'started_at'>>) =>
    tables.insertInto('runs').values({
      run_id: slot('run_id'),
      policy_json: slot('policy_json'),
      started_at: slot('started_at'),
    }),
);

type Resumption = Pick<RunRow, 'run_id' | 'policy_json' | 'resumed_at'>;

const markResumed = statement((tables, slot: Slot<Resumption>) =>
  tables
    .updateTable('runs')
    .set({
      policy_json: slot('policy_json'),
      resumed_at: slot('resumed_at'),
      finished_at: null,
      verdict: null,
      cause: null,
      detail: null,
      resume_at: null,
    })
    .where('run_id', '=', slot('run_id')),
);

type Pause = Pick<RunRow, 'run_id' | 'verdict' | 'cause' | 'detail' | 'resume_at'>;

const markPaused = statement((tables, slot: Slot<Pause>) =>
  tables
    .updateTable('runs')
    .set({
      verdict: slot('verdict'),
      cause: slot('cause'),
      detail: slot('detail'),
      resume_at: slot('resume_at'),
    })
    .where('run_id', '=', slot('run_id')),
);

const markFinished = statement(
  (tables, slot: Slot<Pick<RunRow, 'run_id' | 'verdict' | 'finished_at'>>) =>
    tables
      .updateTable('runs')
      .set({ verdict: slot('verdict'), finished_at: slot('finished_at') })
      .where('run_id', '=', slot('run_id')),
);

/** `run.started`: the run's own row. */
export function startRun(connection: Connection, event: EventOf<'run.started'>): void {
  connection.change(insertRun, {
    run_id: keyText(event.runId),
    policy_json: jsonText(event.policy),
    started_at: displayText(event.at),
  });
}

/** `run.resumed`: driven again, under the policy of the resumption. */
export function resumeRun(connection: Connection, event: EventOf<'run.resumed'>): void {
  const changed = connection.change(markResumed, {
    run_id: keyText(event.runId),
    policy_json: jsonText(event.policy),
    resumed_at: displayText(event.at),
  });
  if (changed === 0) throw noSuchRow('run', event.runId, event.runId);
}

/** `run.parked`: why, and until when. */
export function parkRun(connection: Connection, event: EventOf<'run.parked'>): void {
  const { runId, cause, detail, resumeAt = null } = event;
  pause(connection, runId, {
    verdict: 'parked',
    cause,
    detail: displayText(detail),
    resume_at: resumeAt,
  });
}

/** `run.interrupted`: why. */
export function interruptRun(connection: Connection, event: EventOf<'run.interrupted'>): void {
  const detail = displayText(event.reason);
  pause(connection, event.runId, { verdict: 'interrupted', cause: null, detail, resume_at: null });
}

/** `run.finished`: the verdict. */
export function finishRun(connection: Connection, event: EventOf<'run.finished'>): void {
  const changed = connection.change(markFinished, {
    run_id: keyText(event.runId),
    verdict: event.verdict,
    finished_at: displayText(event.at),
  });
  if (changed === 0) throw noSuchRow('run', event.runId, event.runId);
}

function pause(connection: Connection, runId: string, why: Omit<Pause, 'run_id'>): void {
  const changed = connection.change(markPaused, { run_id: keyText(runId), ...why });
  if (changed === 0) throw noSuchRow('run', runId, runId);
}
