import type { SavedWork } from '@atelier/worktrees';
import { UsageError } from '../command.ts';
import { HostError } from '../host-error.ts';

interface Picking {
  /** The id of a task, the name that refs give it, or a full ref. */
  readonly named: string | undefined;
  readonly attempt: number | undefined;
  readonly run: string | undefined;
}

/**
 * The ref that is meant: the task's last attempt in the run that saved work of it last, unless told otherwise. What
 * was found beside the work of an attempt has to be named by its ref. Throws `NO_SUCH_SALVAGE`, or a
 * {@link UsageError} for what can not be meant together.
 */
export function pickRef(all: readonly SavedWork[], { named, attempt, run }: Picking): string {
  if (named === undefined) throw new UsageError('it takes one TASK or REF', LIST);
  if (named.startsWith('refs/')) {
    if (attempt === undefined && run === undefined) return named;
    throw new UsageError('a ref names its run and its attempt already', 'Leave out the options.');
  }
  const [latest, ...older] = all
    .filter((one) => !one.after && isOf(one, named))
    .filter((one) => run === undefined || one.run === run)
    .filter((one) => attempt === undefined || one.attempt === attempt)
    .sort((a, b) => b.savedAt - a.savedAt || (a.run < b.run ? 1 : -1));
  if (!latest)
    throw new HostError(
      'NO_SUCH_SALVAGE',
      `there is no saved work of ${textOf(named, attempt, run)}`,
      LIST,
    );
  return older
    .filter((one) => one.run === latest.run)
    .reduce((last, one) => (one.attempt > last.attempt ? one : last), latest).ref;
}

const LIST = 'See atelier salvage list.';

const isOf = ({ task, ref }: SavedWork, named: string): boolean =>
  task === named || ref.split('/')[3] === named;

const textOf = (task: string, attempt: number | undefined, run: string | undefined): string =>
  [
    `task ${task}`,
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(run === undefined ? [] : [`run ${run}`]),
  ].join(', ');
