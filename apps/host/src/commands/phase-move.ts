import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import type { PhaseEvent } from '@atelier/store-sqlite';
import type { Command } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { operatorName } from '../team/operator.ts';
import { projectName } from '../team/project-name.ts';
import { takeStep } from '../team/take-step.ts';
import { parseTeamArguments } from './team-arguments.ts';

const ADVANCE = `Usage: atelier phase advance PHASE [--agent NAME] [--json] [--repo DIR]

Takes a step that the phases allow, and records it. Of two that take one at the same time, one is refused.

  --agent NAME  who takes it; the user of this machine when absent
`;

const FORCE = `Usage: atelier phase force PHASE --reason TEXT --agent NAME [--json] [--repo DIR]

Goes to any phase against the rules. The reason and the name are recorded with the step.
`;

export const advance: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, {
    ...{ command: 'phase advance', takes: ['PHASE'] },
    ...{ texts: ['agent'], flags: ['json'] },
  });
  if (given.help) {
    stdout.write(ADVANCE);
    return 0;
  }
  return withProject(given, environment, async (home) => {
    const project = projectName(home);
    const { phases } = home.store.team;
    const from = phases.start(project);
    const agent = given.text('agent') ?? operatorName();
    const event = takeStep(phases, { project, from, to: given.given('PHASE'), agent });
    stdout.write(given.flag('json') ? jsonLine({ version: 1, ...event }) : told(event));
    return 0;
  });
};

export const force: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, {
    ...{ command: 'phase force', takes: ['PHASE'] },
    ...{ texts: ['reason', 'agent'], needs: ['reason', 'agent'], flags: ['json'] },
  });
  if (given.help) {
    stdout.write(FORCE);
    return 0;
  }
  return withProject(given, environment, async (home) => {
    const project = projectName(home);
    const { phases } = home.store.team;
    phases.start(project);
    const [reason, agent] = [given.given('reason'), given.given('agent')];
    const event = phases.force({ project, to: given.given('PHASE'), reason, agent });
    stdout.write(
      given.flag('json')
        ? jsonLine({ version: 1, ...event, reason })
        : `${told(event)}It was forced, and bypass ${event.bypassId} tells of it.\n`,
    );
    return 0;
  });
};

const told = ({ from, to, agent }: PhaseEvent): string =>
  `The phase is ${to}; it was ${from}. Taken by ${printable(agent)}.\n`;
