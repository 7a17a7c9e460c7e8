import type { Policy, Task } from '@atelier/engine';
import type { Store } from '@atelier/store-sqlite';
import { HostError } from '../host-error.ts';

/** What the journal says of how a run is driven. */
export interface Recorded {
  /** The plan that it goes by, as it was last taken. */
  readonly tasks: readonly Task[];
  readonly policy: Policy;
  /** What the host noted when it last drove the run. Texts only. */
  readonly about: Readonly<Record<string, string>>;
}

/** Throws `NO_SUCH_RUN` for a run that has no start in the journal. */
export async function recordedOf({ journal }: Store, runId: string): Promise<Recorded> {
  const events = await journal.load(runId);
  const plan = events.findLast(({ type }) => type === 'plan.taken' || type === 'run.started');
  const driven = events.findLast(({ type }) => type === 'run.resumed' || type === 'run.started');
  if (!plan || !('tasks' in plan) || !driven || !('policy' in driven))
    throw new HostError(
      'NO_SUCH_RUN',
      `the journal has no start of run ${runId}`,
      'See atelier status --all.',
    );
  return { tasks: plan.tasks, policy: driven.policy, about: textsOf(driven.about) };
}

const textsOf = (about: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(about)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
