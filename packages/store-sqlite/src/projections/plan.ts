import { type Task, taskKey, upstreamEdges } from '@atelier/engine';
import { displayText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import type { EdgeRow, TaskPathRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import type { EventOf } from './event-of.ts';
import { insertTask, taskRow } from './task-row.ts';

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

/** `run.started`: the tasks as planned, what each waits for, and the paths it declares. */
export function recordPlan(connection: Connection, event: EventOf<'run.started'>): void {
  const run_id = keyText(event.runId);
  for (const [position, task] of event.tasks.entries()) {
    connection.change(insertTask, taskRow(run_id, position, task));
    recordPaths(connection, run_id, task);
  }
  for (const [key, upstreams] of upstreamEdges(event.tasks)) {
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
