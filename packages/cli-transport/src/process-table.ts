import { blind, ifReadable, machineProc, type Proc, unlessGone, unlessRefused } from './proc.ts';
import { startedBefore } from './process-age.ts';

/** A process, told from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, as the kernel writes them; empty on a system without `/proc`. */
  readonly startTime: string;
}

interface ProcessStat extends ProcessIdentity {
  readonly state: string;
}

const PLACE_OF_START_TIME = 19;

/** Reads a line of `/proc/PID/stat`; undefined when it is not whole. The program's name in it may hold anything. */
export function parseStat(line: string): ProcessStat | undefined {
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  const startTime = fields[PLACE_OF_START_TIME] ?? '';
  return pid > 0 && /^\d+$/.test(startTime) ? { pid, state, startTime } : undefined;
}

/** The identity of a child of this process that was not waited for yet. */
export const identityOf = (pid: number): ProcessIdentity => ({
  pid,
  startTime: ifReadable(() => statOf(pid, machineProc)?.startTime, undefined) ?? '',
});

/** Who has a number now. Throws `WORKER_UNSTOPPABLE` where that can not be told. */
export function findProcess(pid: number): ProcessIdentity | undefined {
  const stat = statOf(pid, machineProc);
  return stat && { pid, startTime: stat.startTime };
}

/** The children of a process, as far as the kernel tells. */
export const childrenOf = (pid: number): ProcessIdentity[] =>
  ifReadable(() => machineProc.text(`/proc/${pid}/task/${pid}/children`), '')
    .split(' ')
    .filter((id) => /^\d+$/.test(id))
    .map((id) => identityOf(Number(id)))
    .filter(({ startTime }) => startTime !== '');

/** True while this very process lives, or can not be looked at. One that has ended but was not waited for does not. */
export function isRunning({ pid, startTime }: ProcessIdentity, proc: Proc = machineProc): boolean {
  if (startTime === '') return answers(pid);
  try {
    const stat = statOf(pid, proc);
    return stat?.startTime === startTime && stat.state !== 'Z' && stat.state !== 'X';
  } catch {
    return true;
  }
}

/**
 * Every process but this one that has `entry` in the environment it was started with. With a `since` it comes from a
 * process of then: one that is known to be older can not have it. Throws `WORKER_UNSTOPPABLE` where that can not be told.
 */
export function processesWith(entry: string, search: Search = {}): number[] {
  const { proc = machineProc } = search;
  const wanted = Buffer.from(`\0${entry}\0`);
  const older = (pids: readonly number[]) =>
    startedBefore(Number(search.since ?? 0), pids, { proc, startOf: (pid) => startOf(pid, proc) });
  return whereReadable({ ...search, older }, (pid) => {
    const environment = unlessRefused(() => proc.environment(pid), NOTHING, undefined);
    if (environment === undefined) return 'refused';
    if (environment.length <= 1) return 'empty';
    return environment.includes(wanted);
  });
}

/** What a process was started with under a name in its environment. Throws like {@link processesWith}. */
export function startedWith(pid: number, name: string): string | undefined {
  const environment = unlessGone(() => machineProc.environment(pid), NOTHING);
  const entries = environment.toString('utf8').split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** True when a process was called with exactly this text as one of its arguments. Throws like {@link processesWith}. */
export const wasCalledWith = (pid: number, argument: string): boolean =>
  numbersAreOurs(machineProc) &&
  unlessGone(() => machineProc.text(`/proc/${pid}/cmdline`, 'utf8'), '')
    .split('\0')
    .includes(argument);

/**
 * Every process but this one that has the file open. Slower than the others: it looks at all that is open. Throws like
 * {@link processesWith}.
 */
export function processesHolding(path: string, search: Search = {}): number[] {
  const { proc = machineProc } = search;
  const file = unlessGone(() => proc.file(path), undefined);
  if (!file) return [];
  const isIt = (open: string) => {
    // What else a process has open may be anything, and of no account.
    const found = ifReadable(() => proc.file(open), undefined);
    return found?.ino === file.ino && found.dev === file.dev;
  };
  return whereReadable(search, (pid) => {
    const folder = `/proc/${pid}/fd`;
    const open = unlessRefused(() => proc.names(folder), [], undefined);
    if (open === undefined) return 'refused';
    return open.length === 0 ? 'empty' : open.some((one) => isIt(`${folder}/${one}`));
  });
}

/** Where and from when on processes are looked for. */
interface Search {
  readonly proc?: Proc;
  /** Older processes are of no account where they can not be read: clock ticks since boot. */
  readonly since?: string | undefined;
}

interface Looked extends Search {
  /** Which of them can not be found, and are only looked at to see whether anything can be read. */
  older?(pids: readonly number[]): ReadonlySet<number>;
}

/**
 * The processes for which `look` is true. One that hides from whoever has its user is passed over; where none of that
 * user lets itself be read, it is the machine that hides them, and nothing can be told.
 */
function whereReadable(
  { proc = machineProc, since = '0', older = () => NONE }: Looked,
  look: (pid: number) => boolean | 'refused' | 'empty',
): number[] {
  const pids = runningIds(proc).filter((pid) => pid !== process.pid);
  const old = older(pids);
  const refused: number[] = [];
  let isReadable = false;
  const found = pids.filter((pid) => {
    if (old.has(pid)) return false;
    const seen = look(pid);
    if (seen === 'refused') refused.push(pid);
    else if (seen !== 'empty') isReadable = true;
    return seen === true;
  });
  const hidden = (pid: number) =>
    userOf(pid, proc) === process.getuid?.() && (startOf(pid, proc) ?? 0) >= Number(since);
  if (isReadable || !refused.some(hidden)) return found;
  if ([...old].some((pid) => typeof look(pid) === 'boolean')) return found;
  throw blind('this machine does not let processes of the same user be read');
}

/** The real user of a process, which it can not change. */
function userOf(pid: number, proc: Proc): number | undefined {
  const [, user] =
    /^Uid:\t(\d+)/m.exec(unlessGone(() => proc.text(`/proc/${pid}/status`), '')) ?? [];
  return user === undefined ? undefined : Number(user);
}

/** Names the pid namespace of a process; empty where that can not be told. */
export const pidNamespaceOf = (pid: number | 'self'): string =>
  ifReadable(() => machineProc.target(`/proc/${pid}/ns/pid`), '');

/** The numbers of a process: the one it has here, and those in the namespaces below. */
export const numbersOf = (pid: number): readonly number[] =>
  (/^NSpid:(.*)$/m.exec(ifReadable(() => machineProc.text(`/proc/${pid}/status`), ''))?.[1] ?? '')
    .split('\t')
    .filter((number) => number !== '')
    .map(Number);

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const runningIds = (proc: Proc): number[] =>
  numbersAreOurs(proc)
    ? unlessGone(() => proc.names('/proc'), [])
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : [];

/** False where `/proc` is that of another pid namespace: its numbers are not the ones that a signal is sent to. */
const numbersAreOurs = (proc: Proc): boolean =>
  unlessGone(() => proc.target('/proc/self'), '') === String(process.pid);

const statOf = (pid: number, proc: Proc): ProcessStat | undefined =>
  numbersAreOurs(proc)
    ? parseStat(unlessGone(() => proc.text(`/proc/${pid}/stat`), ''))
    : undefined;

/** Clock ticks since boot. */
function startOf(pid: number, proc: Proc): number | undefined {
  const stat = statOf(pid, proc);
  return stat && Number(stat.startTime);
}

const NOTHING = Buffer.alloc(0);
const NONE: ReadonlySet<number> = new Set();
