import { existsSync, readFileSync } from 'node:fs';

/** One line of a worker: it has begun, or it has ended. Kept outside of everything that is measured. */
export interface TruthLine {
  readonly kind: 'start' | 'end';
  readonly task: string;
  readonly pid: number;
}

export function readTruth(path: string): TruthLine[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [kind, task = '', pid = ''] = line.split(' ');
      return kind === 'start' || kind === 'end' ? [{ kind, task, pid: Number(pid) }] : [];
    });
}

/** What became of the tasks of one contender. */
export interface Figures {
  /** Tasks that never ended. */
  readonly lost: number;
  /** Tasks that began more than once. */
  readonly ranTwice: number;
  /** Of those, how many ran beside themselves. */
  readonly overlapped: number;
  /** Workers that lived when their driver was killed, and whose task was not begun again. */
  readonly adopted: number;
  readonly inFlight: number;
}

export function figuresOf(
  lines: readonly TruthLine[],
  tasks: readonly string[],
  killedAfter: number,
): Figures {
  const counts = tasks.map((task) => {
    const own = lines.filter((line) => line.task === task);
    const starts = own.filter(({ kind }) => kind === 'start').length;
    let open = 0;
    let most = 0;
    for (const { kind } of own) {
      open += kind === 'start' ? 1 : -1;
      most = Math.max(most, open);
    }
    return { task, starts, ended: own.some(({ kind }) => kind === 'end'), overlapped: most > 1 };
  });
  const before = lines.slice(0, killedAfter);
  const endedBefore = new Set(before.filter(({ kind }) => kind === 'end').map(({ task }) => task));
  const inFlight = new Set(
    before.filter(({ task }) => !endedBefore.has(task)).map(({ task }) => task),
  );
  return {
    lost: counts.filter(({ ended }) => !ended).length,
    ranTwice: counts.filter(({ starts }) => starts > 1).length,
    overlapped: counts.filter(({ overlapped }) => overlapped).length,
    adopted: counts.filter(({ task, starts }) => inFlight.has(task) && starts === 1).length,
    inFlight: inFlight.size,
  };
}
