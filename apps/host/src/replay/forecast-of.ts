import type { RunMode } from '@atelier/budget';
import {
  DEFAULTS,
  type Policy,
  type Recall,
  type RunState,
  type Task,
  taskKey,
} from '@atelier/engine';
import { doomed, previewPlan } from '@atelier/engine/plan';
import type { ForecastRow } from '@atelier/reporters';
import { platformSandbox } from '@atelier/sandbox';
import type { Store } from '@atelier/store-sqlite';
import type { Roster } from '@atelier/team-behaviors';
import { type Repository, runBranch } from '@atelier/worktrees';
import { briefingOf } from '../compose/brief.ts';
import type { AgentChoice } from '../compose/open-agent.ts';
import type { PlanSettings } from '../compose/plan-settings.ts';
import type { Environment } from '../environment.ts';
import { modelOf } from '../spending/model-of.ts';
import { answersFor } from '../team/answers-for.ts';
import { version } from '../version.ts';
import { agentPrint } from './agent-print.ts';
import { commitAt, commitView } from './commit-view.ts';
import { earlierWork } from './earlier-work.ts';
import { type ForecastSource, forecast } from './forecast.ts';
import { mergedBefore } from './merged-before.ts';
import { settingsInKeys } from './run-settings.ts';
import { standingOf } from './standing-of.ts';

/** A run that would start, or go on, as a command line has it. */
export interface ForecastGiven {
  readonly repository: Repository;
  /** Undefined where no run of the clone was ever recorded. */
  readonly store: Store | undefined;
  readonly tasks: readonly Task[];
  readonly settings: PlanSettings;
  readonly caps: Partial<Pick<Policy, 'maxAttempts' | 'wallClockMs'>>;
  readonly agent: AgentChoice;
  readonly mode: RunMode;
  readonly model: string | undefined;
  readonly roster: Roster;
  /** What workers may read beside their worktree and the system. */
  readonly read: readonly string[];
  /** Whether merged work of earlier runs may stand for a task. */
  readonly replay: boolean;
  /** The run that would go on. */
  readonly state?: RunState;
}

/** What would be kept, replayed and done anew. Nothing is written, nothing dispatched. */
export async function forecastOf(
  given: ForecastGiven,
  environment: Environment,
): Promise<readonly ForecastRow[]> {
  const { repository, store, tasks, settings, state } = given;
  const { commonDir } = repository;
  const caps = { ...DEFAULTS, ...given.caps };
  const commit = state
    ? await commitAt({ commonDir, ref: runBranch(state.runId) })
    : repository.head;
  const view = commitView({ commonDir, commit });
  const { worktree = {} } = settings;
  const byKey = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const waves = previewPlan({ goal: '', tasks }).waves.map((wave) =>
    wave.tasks.flatMap(({ id }) => byKey.get(taskKey(id)) ?? []),
  );
  const source: ForecastSource = {
    ...{ tasks, waves },
    ...(given.replay ? { recall: recallOf(given, { ...view, caps, environment }) } : {}),
    ...(state ? { standing: standingOf(state, { tasks, maxAttempts: caps.maxAttempts }) } : {}),
    doomed: doomed(asTheyStand(tasks, state), caps),
    earlier: store ? earlierWork(store, state?.runId) : async () => undefined,
    isGated: isGated(settings),
    isBlind: (worktree.copy ?? []).length + (worktree.link ?? []).length > 0,
    async changedFiles(base, paths) {
      const changed = base === undefined ? undefined : await view.changedFiles(base, commit);
      return changed?.filter((file) => !paths || paths.some((path) => isIn(file, path)));
    },
  };
  return await forecast(source);
}

/** The rows of a plan with what a run has made of them by now. What is under way may still come to its end. */
const asTheyStand = (tasks: readonly Task[], state: RunState | undefined): readonly Task[] =>
  tasks.map((task) => {
    const known = state?.tasks.get(taskKey(task.id));
    if (!known) return task;
    const { phase, attempts } = known;
    if (ENDS.has(phase)) return { ...task, status: phase };
    return { ...task, attempts: phase === 'pending' ? attempts : 0 };
  });

const ENDS: ReadonlySet<string> = new Set(['complete', 'abandoned', 'held']);

const isIn = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);

/** What a run would recall, composed only when it is asked: an agent may have to tell its version. */
function recallOf(
  given: ForecastGiven,
  {
    work,
    caps,
    environment,
  }: Pick<ReturnType<typeof commitView>, 'work'> & {
    readonly caps: Pick<Policy, 'maxAttempts' | 'wallClockMs'>;
    readonly environment: Environment;
  },
): Recall {
  const { tasks, store, agent, read, settings, roster, repository } = given;
  const handIn = agent.agent.startsWith('command:') ? 'reply-file' : 'structured-output';
  const choice = {
    ...{ agent: agent.agent, mode: given.mode, asked: given.model },
    tier: environment.modelTier,
  };
  const compose = (): Recall =>
    mergedBefore({
      ...{ tasks, work, isGated: isGated(settings), files: async () => read },
      briefing: briefingOf({
        ...{ handIn, caps, roster },
        ...(store ? { answersTo: answersFor({ store, repository }) } : {}),
        work: { savedRef: async () => undefined },
      }),
      settings: settingsInKeys({
        host: [version(), agentPrint(agent, environment.cwd)],
        ...{ ...settings, read, walls: wallsOf(), handIn },
      }),
      modelOf: (task) => modelOf(task, choice),
      merged: (key) => store?.merged(key) ?? [],
    });
  let composed: Recall | undefined;
  const recall = (): Recall => {
    composed ??= compose();
    return composed;
  };
  return { contentKey: (next) => recall().contentKey(next), find: (key) => recall().find(key) };
}

const isGated = ({ waveGate, worktree }: PlanSettings): boolean =>
  waveGate !== undefined || (worktree?.setup ?? []).length > 0;

/** The walls are not tried: only their kind is part of a key. */
function wallsOf(): string {
  try {
    return platformSandbox().kind;
  } catch {
    return 'attested-host';
  }
}
