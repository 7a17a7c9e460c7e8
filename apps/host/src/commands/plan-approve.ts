import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { hashOf, loadPlan } from '../compose/load-plan.ts';
import { withProject } from '../compose/with-project.ts';
import { approvePlan } from '../team/approve-plan.ts';
import { operatorName } from '../team/operator.ts';
import { projectName } from '../team/project-name.ts';
import { openRoster } from '../team/roster.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier plan --approve FILE [--repo DIR]

Checks a plan as atelier run does and records that a person agrees to it: the phase of the repository goes to
plan:approved, step by step, with the hash of the plan. Nothing is started.
`;

/** Whether a command line of `atelier plan` approves one. */
export const approvesPlan = (args: readonly string[]): boolean => args.includes('--approve');

/** `atelier plan --approve`: 0 when the plan is the approved one, 2 with every defect of the file or where no way leads. */
export const planApprove: Command = {
  async run(args, { stdout }, environment) {
    const given = parseTeamArguments(args, {
      ...{ command: 'plan --approve', takes: ['FILE'], flags: ['approve'] },
    });
    if (given.help) {
      stdout.write(HELP);
      return 0;
    }
    const file = resolve(environment.cwd, given.given('FILE'));
    const dir = resolve(environment.cwd, given.repo ?? '.');
    return withProject(given, environment, async (home) => {
      const { team } = home.store;
      const project = projectName(home);
      const roster = await openRoster(environment.configFile, team);
      const plan = await loadPlan(file, { roster, dir });
      const hash = hashOf(plan);
      const steps = approvePlan(team.phases, { project, hash, agent: operatorName() });
      const [first] = steps;
      const way = steps.map(({ from }) => `${from} → `).join('');
      if (!first) stdout.write(`That plan is approved already: ${hash}.\n`);
      else if (first.from === first.to)
        stdout.write(
          `The plan is approved: ${hash}.\nThe phase was ${first.to}, for no plan by name.\n`,
        );
      else stdout.write(`The plan is approved: ${hash}.\n${way}plan:approved\n`);
      return 0;
    });
  },
};
