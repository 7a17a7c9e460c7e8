import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { parseRunMode, type ResolvedRunMode, resolveRunMode, workersOf } from '@atelier/budget';
import { DEFAULTS } from '@atelier/engine';
import { type Plan, validatePlan } from '@atelier/engine/plan';
import { type Command, UsageError } from '../command.ts';
import { drive } from '../compose/drive.ts';
import { openProject } from '../compose/project.ts';
import { newRunId } from '../compose/run-id.ts';
import { assertNoneUnfinished } from '../compose/unfinished.ts';
import type { Environment } from '../environment.ts';
import { HostError } from '../host-error.ts';
import { PlanRefused } from '../plan-refused.ts';
import { readPlanFile } from '../read-plan-file.ts';
import { parseRunArguments, RUN_OPTIONS, type RunArguments } from './run-arguments.ts';

const HELP = `Usage: atelier run FILE [options]

Runs a plan on a git repository: each attempt in a worktree of its own, behind walls; accepted work is
merged onto the branch atelier/<run>. Your branch, index and files are not touched.

${RUN_OPTIONS}  --new               start anew although a run is unfinished
`;

/** `atelier run`: a plan from its file to its report. */
export const run: Command = {
  summary: 'run a plan on a git repository',
  async run(args, streams, environment) {
    const given = parseRunArguments('run', args);
    if (given.help) {
      streams.stdout.write(HELP);
      return 0;
    }
    const [file, ...more] = given.positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError('run takes one FILE', 'Name a plan in YAML or JSON.');
    const mode = runModeOf(given, environment);
    const plan = await loadPlan(resolve(environment.cwd, file));
    assertSupported(plan);
    const project = await openProject({
      dir: resolve(environment.cwd, given.repo ?? '.'),
      stateHome: stateHomeOf(given, environment),
    });
    try {
      if (!given.fresh) assertNoneUnfinished(project.store);
      const about = {
        goal: plan.goal,
        plan: resolve(environment.cwd, file),
        planHash: hashOf(plan),
        agent: given.agent,
        agentArgs: JSON.stringify(given.agentArgs),
        runMode: mode.mode,
        runModeReason: mode.reason,
      };
      const policy = { ...given.policy, maxWorkers: workersFor(given, mode.mode) };
      return await drive(
        { runId: newRunId(), tasks: plan.tasks, project, given: { ...given, policy }, mode, about },
        streams,
        environment,
      );
    } finally {
      project.store.close();
    }
  },
};

export const stateHomeOf = (
  given: Pick<RunArguments, 'stateDir'>,
  environment: Environment,
): string =>
  given.stateDir === undefined ? environment.stateHome : resolve(environment.cwd, given.stateDir);

export function runModeOf(
  given: Pick<RunArguments, 'runMode'>,
  { runMode: env }: Environment,
): ResolvedRunMode {
  const { runMode: explicit } = given;
  if (explicit !== undefined && parseRunMode(explicit) === undefined)
    throw new UsageError(
      `there is no run mode "${explicit}"`,
      'Use cost-lean, balanced or quality-lean.',
    );
  return resolveRunMode({ explicit, env });
}

export const workersFor = (
  { policy }: Pick<RunArguments, 'policy'>,
  mode: Parameters<typeof workersOf>[0],
): number => workersOf(mode, policy.maxWorkers ?? DEFAULTS.maxWorkers);

/** Throws {@link PlanRefused} with every defect of the file. */
export async function loadPlan(path: string): Promise<Plan> {
  const document = await readPlanFile(path);
  if (!document.ok) throw new PlanRefused(document.issues);
  const checked = validatePlan(document.value, { now: new Date().toISOString() });
  if (!checked.ok) throw new PlanRefused(checked.issues);
  return checked.plan;
}

/** What a plan may say and this version can not do is refused, never passed over. */
function assertSupported({ gate, schedule, budget }: Plan): void {
  const missing = [
    ...(gate === undefined ? [] : ['gate']),
    ...(schedule === 'pipeline' ? ['schedule: pipeline'] : []),
    ...(budget === undefined ? [] : ['budget']),
  ];
  if (missing.length > 0)
    throw new HostError(
      'NOT_IMPLEMENTED',
      `the plan asks for ${missing.join(' and ')}, which is not there yet`,
      'Leave it out, or only preview the plan with atelier plan.',
    );
}

/** What the tasks say, whatever the file's spelling of it and the moment it was loaded. */
export const hashOf = ({ tasks }: Plan): string =>
  createHash('sha256')
    .update(JSON.stringify(tasks.map(({ created_at: _, ...task }) => task)))
    .digest('hex');
