import { received } from './received.ts';
import { isTaskId, type Row, rowIssue } from './row.ts';
import type { TaskIssue } from './task-issue.ts';

const LONGEST_ID = 256;

/** What would break a line or can not be seen; everything else is a name, however hostile its spelling. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Defects of the id itself. It is never used raw as a path, a ref or an argument, so `../x` and `-rf` are fine. */
export function* idIssues(row: Row): Generator<TaskIssue> {
  const id = row.raw?.id;
  if (id === undefined || id === null) {
    yield rowIssue(row, {
      code: 'missing-id',
      field: 'id',
      message: `${row.label} has no id`,
      fix: 'Give it a text or an integer that no other task has.',
    });
    return;
  }
  const reason = refusal(id);
  if (reason === undefined) return;
  yield rowIssue(row, {
    code: 'invalid-id',
    field: 'id',
    message: `the id of tasks[${row.index}] ${reason}, got ${received(id)}`,
    fix: `Use a text of 1 to ${LONGEST_ID} visible characters, or an integer.`,
  });
}

/** Later rows whose id, as text, an earlier row has: `7` and `"7"` are one id. */
export function* duplicateIssues(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
): Generator<TaskIssue> {
  for (const row of rows) {
    const first = row.key === undefined ? undefined : byKey.get(row.key);
    if (first === undefined || first === row) continue;
    yield rowIssue(row, {
      code: 'duplicate-id',
      field: 'id',
      message: `${row.label} is listed twice, as tasks[${first.index}] and tasks[${row.index}]`,
      fix: 'Rename or remove one of them; ids are compared as text.',
    });
  }
}

function refusal(id: unknown): string | undefined {
  if (!isTaskId(id)) return 'must be a text or a safe integer';
  if (typeof id === 'number') return undefined;
  if (id.trim() === '') return 'is empty';
  if (!id.isWellFormed()) return 'has half a surrogate pair';
  if (CONTROL.test(id)) return 'has a control character';
  // A code point is at most two units, so longer texts need no count.
  if (id.length > 2 * LONGEST_ID || [...id].length > LONGEST_ID)
    return `is longer than ${LONGEST_ID} characters`;
  return undefined;
}
