import { type Task, taskKey, upstreamEdges } from '@atelier/engine';
import { displayText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import type { EdgeRow, TaskPathRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import type { EventOf } from './event-of.ts';
import { pairAnew } from './pairs.ts';
import { insertTask, replanTask, taskRow } from './task-row.ts';

const insertEdge = statement((tables, slot: Slot<EdgeRow>) =>
  tables.insertInto('edges').values({
    run_id: slot('run_id'),
    task_key: slot('task_key'),
    upstream_key: slot('upstream_key'),
    kind: slot('kind'),
  }),
);

const insertPath = statement((tables, slot: Slot<TaskPathRow>) =>
  tables.insertInto('task_paths').values({
    run_id: slot('run_id'),
    task_key: slot('task_key'),
    kind: slot('kind'),
    position: slot('position'),
    path: slot('path'),
  }),
);

const PATH_KINDS = ['reads', 'writes', 'must_produce'] as const;

const clearEdges = statement((tables, slot: Slot<Pick<EdgeRow, 'run_id'>>) =>
  tables.deleteFrom('edges').where('run_id', '=', slot('run_id')),
);

const clearPaths = statement((tables, slot: Slot<Pick<TaskPathRow, 'run_id'>>) =>
  tables.deleteFrom('task_paths').where('run_id', '=', slot('run_id')),
);

/** `plan.taken`: the changed plan. A task that is no longer in it keeps its row, because its attempts are history. */
export function replacePlan(connection: Connection, event: EventOf<'plan.taken'>): void {
  const run_id = keyText(event.runId);
  connection.change(clearEdges, { run_id });
  connection.change(clearPaths, { run_id });
  for (const [position, task] of event.tasks.entries()) {
    const {
      status: _,
      attempts: __,
      abandon_category: ___,
      ...planned
    } = taskRow(run_id, position, task);
    if (connection.change(replanTask, planned) === 0)
      connection.change(insertTask, taskRow(run_id, position, task));
    recordPaths(connection, run_id, task);
  }
  recordEdges(connection, run_id, event.tasks);
  pairAnew(connection, event);
}

/** `run.started`: the tasks as planned, what each waits for, and the paths it declares. */
export function recordPlan(connection: Connection, event: EventOf<'run.started'>): void {
  const run_id = keyText(event.runId);
  for (const [position, task] of event.tasks.entries()) {
    connection.change(insertTask, taskRow(run_id, position, task));
    recordPaths(connection, run_id, task);
  }
  recordEdges(connection, run_id, event.tasks);
}

function recordEdges(connection: Connection, run_id: string, tasks: readonly Task[]): void {
  for (const [key, upstreams] of upstreamEdges(tasks)) {
    const task_key = keyText(key);
    for (const { upstream, kind } of upstreams)
      connection.change(insertEdge, { run_id, task_key, upstream_key: keyText(upstream), kind });
  }
}

function recordPaths(connection: Connection, run_id: string, task: Task): void {
  const task_key = keyText(taskKey(task.id));
  for (const kind of PATH_KINDS) {
    for (const [position, path] of (task[kind] ?? []).entries())
      connection.change(insertPath, { run_id, task_key, kind, position, path: displayText(path) });
  }
}
