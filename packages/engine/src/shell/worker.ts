import type { Closure, FailedClosure, Usage } from '../core/closure.ts';
import { judge } from '../core/judge.ts';
import type { Policy } from '../core/policy.ts';
import { bounded, messageOf, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { Clock } from './clock.ts';
import type { Deadlines, TimeUp } from './deadlines.ts';
import { mailbox } from './mailbox.ts';
import { OVER } from './over.ts';
import { swallow } from './swallow.ts';
import type { AttemptHandle, AttemptReport, WorkOrder } from './transport.ts';

/** How the worker of an attempt ended, judged but not yet checked. */
export interface WorkerEnd {
  readonly closure: Closure;
  readonly usage?: Usage;
}

interface Watch {
  readonly clock: Clock;
  readonly policy: Policy;
  /** Starts the worker, or finds it again. */
  readonly open: (signal: AbortSignal) => Promise<AttemptHandle>;
  readonly deadlines: Deadlines;
  readonly onSignal: (signal: unknown) => void;
}

type Silence = TimeUp | 'stalled';

/**
 * Waits for one worker: its report, its deadline, a stall or an interrupt, whichever comes first. Before
 * any kill the reply is read once more, and a worker that has delivered is not a failure. Never rejects;
 * resolves only when the worker is gone or has proved unstoppable.
 */
export async function watchWorker(order: WorkOrder, watch: Watch): Promise<WorkerEnd> {
  const { clock, policy, deadlines } = watch;
  const silences = mailbox<Silence | 'report'>();
  let report: AttemptReport | undefined;
  const settle = (end: AttemptReport) => {
    report ??= isReport(end) ? end : brokenContract('its report is not one');
    silences.put('report');
  };

  const starting = startWorker(watch, settle);
  const callOff = deadlines.set(order.wallClockMs, silences.put);
  const { stallMs } = policy;
  const stall = stallMs === undefined ? undefined : { ms: stallMs, over: new AbortController() };
  const watchSilence = async () => {
    if (!stall) return;
    const handle = await starting.handle;
    if (handle && (await fallsSilent(handle, clock, stall.ms, stall.over.signal)))
      silences.put('stalled');
  };
  void watchSilence();

  try {
    for (;;) {
      const silence = gravest(await silences.take());
      if (report) return endOf(report, order);
      if (silence === 'report') continue;
      const observedAt = clock.now();
      const seen = await confirmingRead(starting.current(), order, clock);
      if (report) return endOf(report, order);
      if (silence === 'stalled' && !seen && awake(starting.current(), observedAt)) {
        void watchSilence();
        continue;
      }
      const alive = await stopWorker(starting, silence, clock);
      const spent = alive ? {} : await spentBy(starting.current(), clock);
      return { closure: alive ?? seen ?? silentEnd(silence, order), ...spent };
    }
  } finally {
    callOff();
    stall?.over.abort(OVER);
  }
}

/** A stall can turn out to be none; the others can not. */
const gravest = (arrived: readonly (Silence | 'report')[]): Silence | 'report' =>
  arrived.find((one) => one === 'timeout' || one === 'interrupted') ??
  arrived.find((one) => one === 'stalled') ??
  'report';

interface Starting {
  readonly handle: Promise<AttemptHandle | undefined>;
  readonly current: () => AttemptHandle | undefined;
  readonly cancel: () => void;
}

function startWorker(watch: Watch, settle: (end: AttemptReport) => void): Starting {
  const cancel = new AbortController();
  let current: AttemptHandle | undefined;
  const open = async () => {
    try {
      const handle = await watch.open(cancel.signal);
      if (!isHandle(handle)) throw new Error('start gave no handle');
      current = handle;
    } catch (error) {
      settle({ kind: 'failed', cause: 'spawn', detail: messageOf(error) });
      return undefined;
    }
    const { subscribe } = current;
    if (subscribe) swallow(() => subscribe.call(current, watch.onSignal));
    current.report.then(settle, (error: unknown) =>
      settle(brokenContract(`its report was rejected: ${messageOf(error)}`)),
    );
    return current;
  };
  return { handle: open(), current: () => current, cancel: () => cancel.abort() };
}

const isHandle = (handle: AttemptHandle | undefined): handle is AttemptHandle =>
  typeof handle?.report?.then === 'function';

const isReport = (report: AttemptReport | undefined): boolean =>
  report?.kind === 'replied' || report?.kind === 'failed';

const brokenContract = (what: string): AttemptReport => ({
  kind: 'failed',
  cause: 'transport',
  detail: `the transport broke its contract: ${what}`,
});

/** The one look before a kill. A read that throws, hangs or shows no valid reply shows nothing. */
async function confirmingRead(
  handle: AttemptHandle | undefined,
  { task, attempt }: WorkOrder,
  clock: Clock,
): Promise<Closure | undefined> {
  if (!handle) return undefined;
  const read = await bounded(clock, BOUNDS.peekMs, () => handle.peek());
  if (read.kind !== 'value' || read.value === undefined || read.value === null) return undefined;
  const closure = judge(read.value, task.id, attempt);
  return closure.kind === 'rejected' ? undefined : closure;
}

/** Ends the worker, even one whose start has not resolved. Gives a closure only when it may still be alive. */
async function stopWorker(
  starting: Starting,
  reason: Silence,
  clock: Clock,
): Promise<FailedClosure | undefined> {
  starting.cancel();
  const stopped = await bounded(clock, BOUNDS.stopMs, async () => {
    const handle = await starting.handle;
    await handle?.stop(reason);
  });
  if (stopped.kind === 'value') return undefined;
  return {
    kind: 'failed',
    cause: 'unstoppable',
    detail: `${reason}, and the worker could not be ended: ${whyNot(stopped)}; it may still be running`,
  };
}

/** What a worker that was ended has spent, as far as its report tells: it was paid for like any other. */
async function spentBy(
  handle: AttemptHandle | undefined,
  clock: Clock,
): Promise<Pick<WorkerEnd, 'usage'>> {
  if (!handle) return {};
  const told = await bounded(clock, BOUNDS.reportMs, () => handle.report);
  const usage = told.kind === 'value' ? told.value?.usage : undefined;
  return usage === undefined ? {} : { usage };
}

/** Resolves to true once the worker has shown no sign of life for `stallMs`. */
async function fallsSilent(
  handle: AttemptHandle,
  clock: Clock,
  stallMs: number,
  over: AbortSignal,
): Promise<boolean> {
  while (!over.aborted) {
    const active = lastActivity(handle);
    // Without a reading there is no silence to act on; the wall clock still holds.
    if (active === undefined) return false;
    const left = active + stallMs - clock.now();
    if (left <= 0) return true;
    await clock.sleep(left, over);
  }
  return false;
}

const awake = (handle: AttemptHandle | undefined, since: number): boolean =>
  (lastActivity(handle) ?? Number.NEGATIVE_INFINITY) >= since;

function lastActivity(handle: AttemptHandle | undefined): number | undefined {
  const reading = swallow(() => handle?.activity?.());
  return typeof reading === 'number' && Number.isFinite(reading) ? reading : undefined;
}

const silentEnd = (silence: Silence, { wallClockMs }: WorkOrder): FailedClosure => {
  const why = {
    timeout: `wall clock of ${Math.round(wallClockMs) / 1000} s exceeded`,
    stalled: 'no sign of life',
    interrupted: 'the run was told to stop',
  };
  return {
    kind: 'failed',
    cause: silence,
    detail: `${why[silence]}; the final read showed no valid reply`,
  };
};

function endOf(report: AttemptReport, { task, attempt }: WorkOrder): WorkerEnd {
  const usage = report.usage === undefined ? {} : { usage: report.usage };
  if (report.kind === 'replied')
    return { closure: judge(report.reply, task.id, attempt), ...usage };
  const { cause, detail, exitCode, resumeAt } = report;
  return {
    closure: {
      kind: 'failed',
      cause,
      detail,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(resumeAt === undefined ? {} : { resumeAt }),
    },
    ...usage,
  };
}
