import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One real execution of a worker, as it told itself. */
export interface Execution {
  readonly taskId: string;
  readonly attempt: number;
  /** Something of another execution of this task was alive when it started. */
  readonly beside: boolean;
  /** It came to its end, its reply handed in. */
  readonly finished: boolean;
}

/** Every execution that the workers of a scene have written down, in the order of their starts. */
export function executionsIn(told: string): Execution[] {
  const lines = textOf(join(told, 'executions')).split('\n').filter(Boolean);
  const ends = lines.filter((line) => line.startsWith('end '));
  return lines.flatMap((line) => {
    const [what, taskId = '', attempt = '', pid = '', beside] = line.split(' ');
    if (what !== 'start') return [];
    // Process numbers repeat in namespaces; an end is taken by one start only.
    const end = ends.indexOf(`end ${taskId} ${attempt} ${pid}`);
    if (end >= 0) ends.splice(end, 1);
    return [{ taskId, attempt: Number(attempt), beside: beside !== 'alone', finished: end >= 0 }];
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
