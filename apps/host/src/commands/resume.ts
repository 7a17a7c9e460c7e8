import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolveRunMode } from '@atelier/budget';
import type { Policy, Task } from '@atelier/engine';
import { renderPlanChange } from '@atelier/reporters';
import type { Roster } from '@atelier/team-behaviors';
import { runBranch } from '@atelier/worktrees';
import { type Command, UsageError } from '../command.ts';
import { drive } from '../compose/drive.ts';
import type { Drive } from '../compose/drive-run.ts';
import { hashOf, loadPlan, type PlanSurroundings } from '../compose/load-plan.ts';
import { type PlanSettings, recordedSettings, settingsOf } from '../compose/plan-settings.ts';
import { type Recorded, recordedOf } from '../compose/recorded.ts';
import { runFolder } from '../compose/run-folder.ts';
import { assertRunMode, workersFor } from '../compose/run-mode.ts';
import { type Takeover, takeoverOf } from '../compose/take-over.ts';
import { runToResume } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import { limitOfPlan, limitOver, type SpendLimit } from '../spend-limit.ts';
import { openRoster } from '../team/roster.ts';
import { parseResumeArguments } from './resume-arguments.ts';
import { resumeForecast } from './resume-forecast.ts';
import { RUN_OPTIONS, type RunArguments } from './run-arguments.ts';

const HELP = `Usage: atelier resume [RUN] [options]

Goes on with a run that was parked, interrupted or lost its host: finished tasks stay finished, the others
go on with the attempts that they have left. What is not named here is as the run was started.

${RUN_OPTIONS}  --take-plan         go on with the plan as its file says now
  --dry-run           only tell what would be kept, and what done again and why
`;

/** `atelier resume`: an unfinished run, from where its journal ends. */
export const resume: Command = {
  async run(args, streams, environment) {
    const given = parseResumeArguments(args);
    if (given.help) {
      streams.stdout.write(HELP);
      return 0;
    }
    const [name, ...more] = given.positionals;
    if (more.length > 0) throw new UsageError('resume takes one RUN', 'See atelier status.');
    return withProject(given, environment, async (project) => {
      const { run_id: runId } = runToResume(project.store, name);
      const recorded = await recordedOf(project.store, runId);
      const { about } = recorded;
      const load = async (roster: Roster): Promise<Drive> => {
        const dir = project.repository.topLevel;
        const change = await planChange(recorded, { roster, dir, branch: runBranch(runId) });
        if (change && !given.takePlan) throw planChanged(about['plan'] ?? '', change);
        if (change) streams.stderr.write(change.shown);
        assertRunMode(given.runMode, '--run-mode');
        const mode = resolveRunMode({ explicit: given.runMode ?? about['runMode'] });
        const recordedLimit = recordedBudget(about['budget']);
        // What a person has named goes before what either plan says.
        const asked = limitOver(recordedBudget(about['budgetAsked']), given.budget);
        const budget = limitOver(change?.budget ?? recordedLimit, asked);
        const model = given.model ?? about['model'];
        const agent = agentOf(given, recorded);
        const settings = change?.settings ?? recordedSettings(about['settings']);
        const replay = given.replay && about['replay'] !== 'no';
        const caps = { ...recorded.policy, ...given.policy };
        const tasks = change?.tasks ?? recorded.tasks;
        const takeover = given.merge
          ? takeoverOf(given.merge, project.repository)
          : recordedTakeover(about['takeover']);
        return {
          runId,
          goal: about['goal'] ?? '',
          tasks,
          takePlan: change !== undefined,
          project,
          runDir: await runFolder(project, runId, askedFolder(given, environment.cwd)),
          json: given.json,
          replay,
          agent,
          budget,
          model,
          policy: {
            ...change?.schedule,
            ...given.policy,
            ...(given.runMode === undefined && given.policy.maxWorkers === undefined
              ? {}
              : { maxWorkers: workersFor(mode, given.policy.maxWorkers) }),
          },
          caps,
          settings,
          takeover,
          mode:
            given.runMode === undefined && about['runModeReason'] !== undefined
              ? { ...mode, reason: 'as it was started' }
              : mode,
          about: {
            ...about,
            ...(change ? { planHash: change.hash } : {}),
            settings: JSON.stringify(settings),
            ...(takeover ? { takeover: JSON.stringify(takeover) } : {}),
            agent: agent.agent,
            agentArgs: JSON.stringify(agent.agentArgs),
            runMode: mode.mode,
            budget: JSON.stringify(budget),
            budgetAsked: JSON.stringify(asked),
            ...(model === undefined ? {} : { model }),
            ...(given.replay ? {} : { replay: 'no' }),
          },
        };
      };
      if (given.dryRun) {
        const roster = await openRoster(environment.configFile, project.store.team);
        const loaded = await load(roster);
        const { mode } = loaded.mode;
        return await resumeForecast({ ...loaded, roster, mode }, streams, environment);
      }
      const { json, bypassReason } = given;
      const label = `run ${runId}`;
      return await drive({ project, label, json, bypassReason, load }, streams, environment);
    });
  },
};

const askedFolder = ({ stateDir }: RunArguments, cwd: string): string | undefined =>
  stateDir === undefined ? undefined : resolve(cwd, stateDir);

function agentOf({ agent, agentArgs }: RunArguments, { about }: Recorded) {
  if (agent !== undefined) return { agent, agentArgs };
  const recorded: unknown = JSON.parse(about['agentArgs'] ?? '[]');
  return {
    agent: about['agent'] ?? 'claude',
    agentArgs: agentArgs.length > 0 || !Array.isArray(recorded) ? agentArgs : recorded.map(String),
  };
}

const recordedBudget = (text: string | undefined): SpendLimit =>
  text === undefined ? {} : (JSON.parse(text) as SpendLimit);

const recordedTakeover = (text: string | undefined): Takeover | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Takeover);

interface PlanChange {
  readonly tasks: readonly Task[];
  readonly settings: PlanSettings;
  readonly schedule: Pick<Policy, 'schedule'>;
  readonly budget: SpendLimit;
  readonly hash: string;
  readonly shown: string;
}

/** What the plan's file says now, if that is another plan. One that is gone is no obstacle: the journal has the tasks. */
async function planChange(
  { tasks, about }: Recorded,
  surroundings: PlanSurroundings,
): Promise<PlanChange | undefined> {
  const { plan, planHash } = about;
  if (plan === undefined || planHash === undefined || !existsSync(plan)) return undefined;
  if (hashOf(await loadPlan(plan, {})) === planHash) return undefined;
  // What is as it was goes on as it was; a change is held against who and what there is now.
  const now = await loadPlan(plan, surroundings);
  const hash = hashOf(now);
  const shown = renderPlanChange(tasks, now.tasks) || BESIDE_TASKS;
  const schedule = now.schedule === undefined ? {} : { schedule: now.schedule };
  const [settings, budget] = [settingsOf(now), limitOfPlan(now)];
  return { tasks: now.tasks, settings, schedule, budget, hash, shown };
}

const BESIDE_TASKS = '~ its goal, gate, worktree, schedule or budget\n';

const planChanged = (plan: string, { shown }: PlanChange): HostError =>
  new HostError(
    'PLAN_CHANGED',
    `${plan} has changed since the run was started: ${shown.trimEnd().replaceAll('\n', '; ')}`,
    'Add --take-plan to go on with the changed plan, or put the file back.',
  );
