import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';

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
  startTime: statOf(pid)?.startTime ?? '',
});

/** The children of a process, as far as the kernel tells. */
export const childrenOf = (pid: number): ProcessIdentity[] =>
  textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((id) => /^\d+$/.test(id))
    .map((id) => identityOf(Number(id)))
    .filter(({ startTime }) => startTime !== '');

/** True while this very process lives. A process that has ended but was not waited for does not. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  if (startTime === '') return answers(pid);
  const stat = statOf(pid);
  return stat?.startTime === startTime && stat.state !== 'Z' && stat.state !== 'X';
}

/** Every process but this one that has `entry` in the environment it was started with. */
export function processesWith(entry: string): number[] {
  const wanted = Buffer.from(`\0${entry}\0`);
  return runningIds().filter((pid) => pid !== process.pid && environmentOf(pid).includes(wanted));
}

/** What a process was started with under a name in its environment. */
export function startedWith(pid: number, name: string): string | undefined {
  const entries = environmentOf(pid).toString('utf8').split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** True when a process was called with exactly this text as one of its arguments. */
export const wasCalledWith = (pid: number, argument: string): boolean =>
  numbersAreOurs() && textOf(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);

/** Every process but this one that has the file open. Slower than the others: it looks at all that is open. */
export function processesHolding(path: string): number[] {
  const file = orElse(() => statSync(path), undefined);
  const isIt = (open: string) => {
    const found = orElse(() => statSync(open), undefined);
    return found?.ino === file?.ino && found?.dev === file?.dev;
  };
  if (!file) return [];
  return runningIds().filter((pid) => {
    const folder = `/proc/${pid}/fd`;
    const open = pid === process.pid ? [] : orElse(() => readdirSync(folder), []);
    return open.some((one) => isIt(`${folder}/${one}`));
  });
}

/** Names the pid namespace of a process; empty where that can not be told. */
export const pidNamespaceOf = (pid: number | 'self'): string =>
  orElse(() => readlinkSync(`/proc/${pid}/ns/pid`), '');

/** The numbers of a process: the one it has here, and those in the namespaces below. */
export const numbersOf = (pid: number): readonly number[] =>
  (/^NSpid:(.*)$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? '')
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

const runningIds = (): number[] =>
  numbersAreOurs()
    ? orElse(() => readdirSync('/proc'), [])
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : [];

/** False where `/proc` is that of another pid namespace: its numbers are not the ones that a signal is sent to. */
const numbersAreOurs = (): boolean =>
  orElse(() => readlinkSync('/proc/self') === String(process.pid), false);

const statOf = (pid: number): ProcessStat | undefined =>
  numbersAreOurs() ? parseStat(textOf(`/proc/${pid}/stat`)) : undefined;

const textOf = (path: string, encoding: 'latin1' | 'utf8' = 'latin1'): string =>
  orElse(() => readFileSync(path, encoding), '');

/** Processes end while they are looked at. */
function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const NOTHING = Buffer.alloc(0);

/** Used again for each of the hundreds of processes of a machine; it begins with the boundary that every entry has. */
const scratch = Buffer.alloc(64 * 1024);

/** Its entries, each between two NUL bytes. Empty for a process that has ended or is not ours to read; valid until the next call. */
function environmentOf(pid: number): Buffer {
  const path = `/proc/${pid}/environ`;
  try {
    const file = openSync(path, 'r');
    try {
      const read = readSync(file, scratch, 1, scratch.length - 1, 0);
      const isCut = read === scratch.length - 1;
      return isCut ? Buffer.concat([NUL, readFileSync(path)]) : scratch.subarray(0, read + 1);
    } finally {
      closeSync(file);
    }
  } catch {
    return NOTHING;
  }
}

const NUL = Buffer.alloc(1);
