import { resolve } from 'node:path';
import { DEFAULTS } from '@atelier/engine';
import type { Roster } from '@atelier/team-behaviors';
import { type Command, UsageError } from '../command.ts';
import { BREAK_AFTER } from '../compose/break-after.ts';
import { drive } from '../compose/drive.ts';
import type { Drive } from '../compose/drive-run.ts';
import { hashOf, loadPlan } from '../compose/load-plan.ts';
import { settingsOf } from '../compose/plan-settings.ts';
import { runFolderOf } from '../compose/run-folder.ts';
import { newRunId } from '../compose/run-id.ts';
import { assertRunMode, runModeOf, workersFor } from '../compose/run-mode.ts';
import { stateHomeOf } from '../compose/state-home.ts';
import { takeoverOf } from '../compose/take-over.ts';
import { assertNoneUnfinished } from '../compose/unfinished.ts';
import { withProject } from '../compose/with-project.ts';
import { meetingPlan } from '../meeting/plan-met.ts';
import { limitOfPlan, limitOver } from '../spend-limit.ts';
import { waitingTeam } from '../team/current-team.ts';
import { parseRunArguments, RUN_OPTIONS } from './run-arguments.ts';

const HELP = `Usage: atelier run FILE [options]

Runs a plan on a git repository: each attempt in a worktree of its own, behind walls; accepted work is
merged onto the branch atelier/<run>. Your branch, index and files are not touched.

${RUN_OPTIONS}  --meet              have the personas of the plan meet over it first, if they have not (see atelier meet);
                      what that costs is a part of the budget
  --new               start anew although a run is unfinished
`;

/** `atelier run`: a plan from its file to its report. */
export const run: Command = {
  async run(args, streams, environment) {
    const given = parseRunArguments('run', args);
    if (given.help) {
      streams.stdout.write(HELP);
      return 0;
    }
    const [file, ...more] = given.positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError('run takes one FILE', 'Name a plan in YAML or JSON.');
    const path = resolve(environment.cwd, file);
    assertRunMode(given.runMode, '--run-mode');
    const dir = resolve(environment.cwd, given.repo ?? '.');
    const stateHome = stateHomeOf(given.stateDir, environment);
    return withProject(given, environment, async (project) => {
      if (!given.fresh) assertNoneUnfinished(project.store);
      const fresh = newRunId();
      const nextRun = () => waitingTeam(project)?.runId ?? fresh;
      const load = async (roster: Roster): Promise<Drive> => {
        // By now the project is held: nobody lets that team go any more.
        const runId = nextRun();
        const plan = await loadPlan(path, { roster, dir });
        const words = { asked: given.runMode, saved: project.config.runMode };
        const mode = await runModeOf(words, streams, environment);
        const budget = limitOver(limitOfPlan(plan), given.budget);
        const takeover = given.merge && takeoverOf(given.merge, project.repository);
        const settings = settingsOf(plan);
        const agent = { agent: given.agent ?? 'claude', agentArgs: given.agentArgs };
        return {
          runId,
          goal: plan.goal,
          meeting: { about: meetingPlan(plan, roster), isWanted: given.meet },
          tasks: plan.tasks,
          project,
          runDir: runFolderOf(project, runId),
          json: given.json,
          replay: given.replay,
          agent,
          budget,
          model: given.model,
          policy: {
            breakAfter: BREAK_AFTER,
            ...(plan.schedule === undefined ? {} : { schedule: plan.schedule }),
            ...given.policy,
            maxWorkers: workersFor(mode, given.policy.maxWorkers),
          },
          caps: { ...DEFAULTS, ...given.policy },
          settings,
          takeover,
          mode,
          about: {
            goal: plan.goal,
            plan: path,
            planHash: hashOf(plan),
            settings: JSON.stringify(settings),
            ...(takeover ? { takeover: JSON.stringify(takeover) } : {}),
            stateDir: stateHome,
            ...(given.replay ? {} : { replay: 'no' }),
            agent: agent.agent,
            agentArgs: JSON.stringify(agent.agentArgs),
            runMode: mode.mode,
            runModeReason: mode.reason,
            budget: JSON.stringify(budget),
            budgetAsked: JSON.stringify(given.budget ?? {}),
            ...(given.model === undefined ? {} : { model: given.model }),
          },
        };
      };
      const { json, bypassReason } = given;
      const label = `run ${nextRun()}`;
      return await drive({ project, label, json, bypassReason, load }, streams, environment);
    });
  },
};
