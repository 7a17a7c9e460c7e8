import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunEvent, Task } from '@atelier/engine';
import { renderPlanChange } from '@atelier/reporters';
import type { Store } from '@atelier/store-sqlite';
import { type Command, UsageError } from '../command.ts';
import { drive } from '../compose/drive.ts';
import { openProject } from '../compose/project.ts';
import { runToResume } from '../compose/unfinished.ts';
import { HostError } from '../host-error.ts';
import { hashOf, loadPlan, runModeOf, stateHomeOf, workersFor } from './run.ts';
import { parseRunArguments, RUN_OPTIONS } from './run-arguments.ts';

const HELP = `Usage: atelier resume [RUN] [options]

Goes on with a run that was parked, interrupted or lost its host: finished tasks stay finished, the others
go on with the attempts that they have left. The agent is the one that the run was started with.

${RUN_OPTIONS}  --take-plan         go on with the plan as its file says now
`;

/** `atelier resume`: an unfinished run, from where its journal ends. */
export const resume: Command = {
  summary: 'go on with an unfinished run',
  async run(args, streams, environment) {
    const given = parseRunArguments('resume', args);
    if (given.help) {
      streams.stdout.write(HELP);
      return 0;
    }
    const [name, ...more] = given.positionals;
    if (more.length > 0) throw new UsageError('resume takes one RUN', 'See atelier status.');
    const project = await openProject({
      dir: resolve(environment.cwd, given.repo ?? '.'),
      stateHome: stateHomeOf(given, environment),
    });
    try {
      const { run_id: runId } = runToResume(project.store, name);
      const started = await lastStartOf(project.store, runId);
      const about = textsOf(started.about);
      const change = await planChange(started.tasks, about);
      if (change && !given.takePlan) throw planChanged(about['plan'] ?? '', change);
      if (change) streams.stderr.write(change.shown);
      const mode = runModeOf({ runMode: given.runMode ?? about['runMode'] }, environment);
      const policy = { ...given.policy, maxWorkers: workersFor(given, mode.mode) };
      const agent = args.includes('--agent') ? given.agent : (about['agent'] ?? given.agent);
      const agentArgs = args.includes('--agent') ? given.agentArgs : listOf(about['agentArgs']);
      return await drive(
        {
          runId,
          tasks: change?.tasks ?? started.tasks,
          takePlan: change !== undefined,
          project,
          given: { ...given, policy, agent, agentArgs },
          mode,
          about: change ? { ...about, planHash: change.hash } : about,
        },
        streams,
        environment,
      );
    } finally {
      project.store.close();
    }
  },
};

interface Start {
  readonly tasks: readonly Task[];
  readonly about: unknown;
}

/** The plan that the run goes by, and how it was last driven. */
async function lastStartOf({ journal }: Store, runId: string): Promise<Start> {
  const events = await journal.load(runId);
  const plan = events.findLast(
    (event) => event.type === 'plan.taken' || event.type === 'run.started',
  );
  const drive = events.findLast((event: RunEvent) => 'about' in event && event.about !== undefined);
  if (plan?.type === 'plan.taken' || plan?.type === 'run.started')
    return { tasks: plan.tasks, about: drive && 'about' in drive ? drive.about : undefined };
  throw new HostError(
    'NO_SUCH_RUN',
    `the journal has no start of run ${runId}`,
    'See atelier status.',
  );
}

const textsOf = (about: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(about)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

function listOf(json: string | undefined): string[] {
  const list: unknown = json === undefined ? [] : JSON.parse(json);
  return Array.isArray(list) ? list.map(String) : [];
}

interface PlanChange {
  readonly tasks: readonly Task[];
  readonly hash: string;
  readonly shown: string;
}

/** What the plan's file says now, if that is another plan. One that is gone is no obstacle: the journal has the tasks. */
async function planChange(
  before: readonly Task[],
  { plan, planHash }: Record<string, string>,
): Promise<PlanChange | undefined> {
  if (plan === undefined || planHash === undefined || !existsSync(plan)) return undefined;
  const now = await loadPlan(plan);
  const hash = hashOf(now);
  if (hash === planHash) return undefined;
  return { tasks: now.tasks, hash, shown: renderPlanChange(before, now.tasks) };
}

const planChanged = (plan: string, { shown }: PlanChange): HostError =>
  new HostError(
    'PLAN_CHANGED',
    `${plan} has changed since the run was started: ${shown.trimEnd().replaceAll('\n', '; ')}`,
    'Add --take-plan to go on with the changed plan, or put the file back.',
  );
