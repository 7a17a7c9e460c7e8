import { quoted, received } from '../core/task-issues/received.ts';
import { type RawTask, TASK_FIELDS } from '../core/task-issues/task-fields.ts';
import type { Finding, Subject } from './finding.ts';
import { pathIssues } from './path-issues.ts';
import { type Misshape, taskMisshapes } from './shape.ts';
import type { KeyGate } from './unknown-keys.ts';

/** What only the plan format asks of a task; ids, waves and edges are judged by the gates of pre-flight. */
export function* taskFindings(task: RawTask, subject: Subject, keys: KeyGate): Generator<Finding> {
  for (const misshape of taskMisshapes(task)) yield misshapeFinding(misshape, subject);
  yield* keys.unknownIn(task, TASK_FIELDS, subject);
  yield* pathIssues(task, subject);
  yield* aliasIssues(task, subject);
}

/** A misshape as a finding about the object it was found in. */
export function misshapeFinding(misshape: Misshape, { at, taskId, label }: Subject): Finding {
  const { keys, kind, expected, input } = misshape;
  const name = keys.join('.');
  const place = { at: [...at, ...keys], taskId };
  if (kind === 'missing') {
    const message = `${label} has no ${name}`;
    return { ...place, code: 'missing-key', message, fix: `Add ${name}.` };
  }
  return {
    ...place,
    code: kind === 'type' ? 'wrong-type' : 'invalid-value',
    message: `${name} of ${label} must be ${expected}, got ${received(input)}`,
    fix: `Make it ${expected}.`,
  };
}

function* aliasIssues(task: RawTask, { at, taskId, label }: Subject): Generator<Finding> {
  const { assigned_persona: persona, assigned_to: alias } = task;
  if (typeof persona !== 'string' || typeof alias !== 'string' || persona === alias) return;
  yield {
    code: 'alias-conflict',
    at: [...at, 'assigned_to'],
    taskId,
    message: `${label} is assigned to both ${quoted(persona)} and ${quoted(alias)}`,
    fix: 'assigned_to is another name for assigned_persona; keep one of them.',
  };
}
