import { readFileSync } from 'node:fs';
import type { AttemptFolder } from './attempt-folder.ts';

/**
 * Leads the worker's process group and outlives its host. It says who it is, takes the locks, and only then looks
 * whether it may still start anything: whoever withdraws its permit and then finds neither has nothing to fear from it.
 * It ends the program when the timer is over, writes down how it ended, and ends what is left of the group, itself
 * included. Everything it is told comes as arguments; none of them is ever read as shell.
 *
 * The lock of its own is closed for the program, which could unlock it; the other one the program inherits. A file
 * system that knows no locks holds nobody up.
 */
const SCRIPT = `
_folder=$1 _timeout=$2 _seconds=$3 _grace=$4 _escaped=$5 _permit=$6 _flock=$7
shift 7
trap : TERM INT HUP
_self= _began=0 _ended=0
if [ -r /proc/self/stat ]; then
  read -r _self </proc/self/stat
  read -r _began _ </proc/uptime
fi
printf '%s\\n' "$_self" >"$_folder/supervisor" || exit 125
if [ -n "$_flock" ]; then
  exec 8<"$_folder/lock" 9<"$_folder/worker.lock"
  for _one in 8 9; do
    "$_flock" -w 20 "$_one" || [ $? != 1 ] || exit 125
  done
fi
[ -z "$_permit" ] || [ -e "$_permit" ] || exit 125
if [ -n "$_timeout" ]; then
  "$_timeout" --foreground -k "$_grace" "$_seconds" "$@" 8<&-
else
  "$@" 8<&-
fi
_status=$?
[ -r /proc/uptime ] && read -r _ended _ </proc/uptime
printf '%s %s %s %s\\n' "$_status" "$_began" "$_ended" "$_seconds" >"$_folder/exit"
if [ -n "$_escaped" ]; then
  for _one in $(grep -lsxzF "ATELIER_NONCE=$ATELIER_NONCE" /proc/[0-9]*/environ); do
    _one=\${_one#/proc/}
    [ "\${_one%/environ}" = "$$" ] || kill -KILL "\${_one%/environ}" 2>/dev/null
  done
fi
kill -KILL 0
`;

const SHELL = '/bin/sh';

export interface Supervision {
  readonly folder: AttemptFolder;
  /** GNU timeout; undefined where there is none, and only a living host ends the worker in time. */
  readonly timeout: string | undefined;
  /** How long the program may run when no host ends it. */
  readonly backstopMs: number;
  readonly graceMs: number;
  /** Look for processes that left the group; needed where no namespace holds them. */
  readonly mayEscape: boolean;
  /** A later host may look for this worker. `flock` is undefined where there is none, and no lock is held. */
  readonly adoptable?: { readonly flock: string | undefined };
}

/** What is executed in front of the program, confined or not. */
export const supervisorCommand = (given: Supervision): readonly [string, ...string[]] => [
  SHELL,
  '-c',
  SCRIPT,
  'atelier-supervisor',
  given.folder.path,
  given.timeout ?? '',
  seconds(given.backstopMs),
  seconds(given.graceMs),
  given.mayEscape ? 'escaped' : '',
  given.adoptable ? given.folder.permit : '',
  given.adoptable?.flock ?? '',
];

/** Never 0, which would mean no limit. */
const seconds = (ms: number): string => (Math.max(1, ms) / 1000).toFixed(3);

/** How a program ended, as its supervisor saw it. */
export interface ExitRecord {
  /** As a shell tells it: 128 + n for signal n. */
  readonly status: number;
  readonly elapsedMs: number;
  /** What the supervisor's timer was set to. */
  readonly timerMs: number;
}

/** Undefined while the record is not there or not complete. */
export function readExit(folder: AttemptFolder): ExitRecord | undefined {
  try {
    const record = RECORD.exec(readFileSync(folder.exit, 'latin1'));
    if (!record) return undefined;
    const [status, began, ended, timer] = record.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return { status, elapsedMs: (ended - began) * 1000, timerMs: timer * 1000 };
  } catch {
    return undefined;
  }
}

const RECORD = /^(\d+) ([\d.]+) ([\d.]+) ([\d.]+)\n$/;

/** What timeout gives for a program that it had to ask, or to force, to end. */
const TIMER_STATUS: ReadonlySet<number> = new Set([124, 137]);

/** Times in a record are in hundredths of a second. */
const RECORD_STEP_MS = 20;

/** True when the supervisor's own timer ended the program. */
export const endedByTimer = ({ status, elapsedMs, timerMs }: ExitRecord): boolean =>
  TIMER_STATUS.has(status) && elapsedMs >= timerMs - RECORD_STEP_MS;
