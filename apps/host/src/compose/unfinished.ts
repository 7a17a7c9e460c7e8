import type { RunRow, Store } from '@atelier/store-sqlite';
import { HostError } from '../host-error.ts';
import { MEETING, onlyReads } from '../planner/only-reads.ts';

/** What only looks is never gone on with: the next attempt begins anew. */
const isUnfinished = ({ run_id, verdict }: RunRow): boolean =>
  !onlyReads(run_id) && (verdict === null || verdict === 'parked' || verdict === 'interrupted');

/** The runs that have not come to their end, the latest last. */
const unfinishedRuns = (store: Store): readonly RunRow[] => store.runs().filter(isUnfinished);

/** Throws `RUN_UNFINISHED`, naming how to go on and how to start anew all the same. */
export function assertNoneUnfinished(store: Store): void {
  const latest = unfinishedRuns(store).at(-1);
  if (latest)
    throw new HostError(
      'RUN_UNFINISHED',
      `run ${latest.run_id} of this repository has not finished`,
      `Go on with it: atelier resume ${latest.run_id}. Or start another beside it: atelier run --new.`,
    );
}

/**
 * The run of that name, or the latest unfinished one; where there is none, the latest run if its host was killed before
 * it was through with what comes after a run. Throws `NO_SUCH_RUN`, `NO_WORK` or `NOTHING_TO_RESUME`.
 */
export function runToResume(store: Store, name: string | undefined): RunRow {
  if (name !== undefined) return workNamed(store, name);
  const latest = unfinishedRuns(store).at(-1) ?? leftByItsHost(store);
  if (latest) return latest;
  throw new HostError(
    'NOTHING_TO_RESUME',
    'no run of this repository is unfinished',
    'See atelier status for those that have ended.',
  );
}

/** A team is closed last, when its run is reported, merged where that was asked for, and the phase is moved. */
function leftByItsHost({ runs, team }: Store): RunRow | undefined {
  const last = runs().findLast(({ run_id }) => !onlyReads(run_id));
  return last && team.teams.ofRun(last.run_id)?.status === 'active' ? last : undefined;
}

/** {@link runNamed}, for whoever needs what it merged. Throws `NO_WORK` for one that only looked as well. */
export function workNamed(store: Store, name: string | undefined): RunRow {
  const run = runNamed(store, name);
  if (!onlyReads(run.run_id)) return run;
  const [what, hint] = run.run_id.startsWith(MEETING)
    ? ['a turn of a meeting', 'Start the work with atelier run.']
    : ['an attempt at a plan', 'Ask for a plan again with atelier plan --from, and run its file.'];
  throw new HostError('NO_WORK', `${run.run_id} was ${what}: it has no work`, hint);
}

/** The run of that name, or the latest; one that only looks only where there is nothing else. Throws `NO_SUCH_RUN`. */
export function runNamed(store: Store, name: string | undefined): RunRow {
  const runs = store.runs();
  const found =
    name === undefined
      ? (runs.findLast(({ run_id }) => !onlyReads(run_id)) ?? runs.at(-1))
      : runs.find(({ run_id }) => run_id === name);
  if (found) return found;
  throw new HostError(
    'NO_SUCH_RUN',
    name === undefined ? 'there is no run of this repository yet' : `there is no run ${name}`,
    name === undefined ? 'Start one with atelier run.' : 'See atelier status --all.',
  );
}
