import type { Closure, FailCause } from './closure.ts';

/** What a failed attempt means beyond its own task. */
export interface CauseTraits {
  /**
   * `task`: the attempt's own. `world`: of the machine, the network or the provider. `account`: of whoever pays.
   * `review`: a verdict about work that was delivered. `host`: of whoever ended it.
   */
  readonly whose: 'task' | 'world' | 'account' | 'review' | 'host';
  /** The run takes no further task: going on would burn attempts on a failure that is not theirs. */
  readonly parks?: 'usage-limit' | 'account' | 'budget';
  /** Counted by the breaker: several in a row are one fault, not several. */
  readonly breaks: boolean;
  /** The next dispatch waits for a while. */
  readonly backsOff?: true;
  /** A task whose last attempt ended so is not given up before the run goes on. */
  readonly defers?: true;
}

const OWN: CauseTraits = Object.freeze({ whose: 'task', breaks: true });
const WORLD: CauseTraits = Object.freeze({ whose: 'world', breaks: true });
const VERDICT: CauseTraits = Object.freeze({ whose: 'review', breaks: false });
const HOST: CauseTraits = Object.freeze({ whose: 'host', breaks: false });

/** How each cause of a failed attempt is met. The charge stays in every case. */
export const CAUSES: Readonly<Record<FailCause, CauseTraits>> = Object.freeze({
  'usage-limit': Object.freeze({ whose: 'account', parks: 'usage-limit', breaks: false }),
  account: Object.freeze({ whose: 'account', parks: 'account', breaks: false }),
  cut: Object.freeze({ whose: 'account', parks: 'budget', breaks: false, defers: true }),
  overloaded: Object.freeze({ whose: 'world', breaks: true, backsOff: true }),
  spawn: WORLD,
  transport: WORLD,
  // Told only of workers that ended with an earlier host.
  lost: HOST,
  briefing: WORLD,
  acceptance: WORLD,
  integration: WORLD,
  request: OWN,
  budget: OWN,
  exit: OWN,
  'no-reply': OWN,
  'output-limit': OWN,
  timeout: OWN,
  stalled: OWN,
  'false-done': OWN,
  'write-scope': OWN,
  verify: OWN,
  review: VERDICT,
  conflict: VERDICT,
  'wave-gate': VERDICT,
  interrupted: HOST,
  unstoppable: HOST,
});

/** Whether a last attempt that ended so leaves its task waiting until the run goes on. */
export const defers = (closure: Closure | undefined): boolean =>
  closure?.kind === 'failed' && CAUSES[closure.cause].defers === true;
