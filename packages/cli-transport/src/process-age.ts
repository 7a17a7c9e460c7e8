import { ifReadable, type Proc } from './proc.ts';

/** A process as `/proc` shows it: the folder of a later one under the same number is another file. */
interface Known {
  readonly ino: number;
  readonly madeAtMs: number;
  /** Clock ticks since boot; unknown at first sight, since most of what is young is never seen again. */
  readonly start?: number | undefined;
}

const known = new WeakMap<Proc, ReadonlyMap<number, Known>>();

/**
 * Which of these processes are known to have started before `since`, in clock ticks since boot. One look tells it of each
 * that was met twice before, and most of a machine's processes are older than any worker. One that was not, or that does
 * not tell, is not among them.
 */
export function startedBefore(
  since: number,
  pids: readonly number[],
  { proc, startOf }: { readonly proc: Proc; startOf(pid: number): number | undefined },
): ReadonlySet<number> {
  const older = new Set<number>();
  if (since <= 0) return older;
  const before = known.get(proc);
  const now = new Map<number, Known>();
  for (const pid of pids) {
    const one = ifReadable(() => meet(pid, before?.get(pid), { proc, startOf }), undefined);
    if (!one) continue;
    now.set(pid, one);
    if (one.start !== undefined && one.start < since) older.add(pid);
  }
  known.set(proc, now);
  return older;
}

function meet(
  pid: number,
  last: Known | undefined,
  { proc, startOf }: { readonly proc: Proc; startOf(pid: number): number | undefined },
): Known {
  const { ino, ctimeMs } = proc.file(`/proc/${pid}`);
  if (last?.ino !== ino || last.madeAtMs !== ctimeMs) return { ino, madeAtMs: ctimeMs };
  return last.start === undefined ? { ...last, start: startOf(pid) } : last;
}
