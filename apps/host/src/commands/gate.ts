import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import type { GateAnswer } from '@atelier/store-sqlite';
import type { Command } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { SKILL } from '../team/pass-gate.ts';
import { projectName } from '../team/project-name.ts';
import { commandGroup } from './command-group.ts';
import { parseTeamArguments } from './team-arguments.ts';

/** Decision and record are one step: what was written down before, perhaps for something else, opens no gate. */
const THROUGH =
  'A run is let through when it is started: with\natelier run --bypass-reason TEXT, or by the person at the terminal who is asked; either is recorded.';

const HELP = `Usage: atelier gate check SKILL [--repo DIR]
       atelier gate bypass SKILL --reason TEXT --agent NAME [--repo DIR]

Whether a procedure, such as dev:dispatch, may begin in the phase that the work of this repository is in. check prints
one JSON object and exits with 0 whatever the answer is: read "allowed".

bypass records that a procedure went on all the same, and does nothing else. ${THROUGH}
`;

const check: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, { command: 'gate check', takes: ['SKILL'] });
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  return withProject(given, environment, async (home) => {
    const project = projectName(home);
    const { phases } = home.store.team;
    phases.start(project);
    stdout.write(jsonLine(onTheWire(phases.checkGate(project, given.given('SKILL')))));
    return 0;
  });
};

const bypass: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, {
    ...{ command: 'gate bypass', takes: ['SKILL'] },
    ...{ texts: ['reason', 'agent'], needs: ['reason', 'agent'] },
  });
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  return withProject(given, environment, async (home) => {
    const project = projectName(home);
    const { phases } = home.store.team;
    phases.start(project);
    const row = phases.bypass({
      ...{ project, skill: given.given('SKILL') },
      ...{ reason: given.given('reason'), agent: given.given('agent') },
    });
    stdout.write(
      `Bypass ${row.id} of ${printable(row.skill)} is recorded: it needs ${row.to}, and the phase is ${row.from}.\n`,
    );
    if (row.skill === SKILL) stdout.write(`It opens no gate. ${THROUGH.replace('\n', ' ')}\n`);
    return 0;
  });
};

/** The documented names, in the order of the alphabet. */
const onTheWire = (answer: GateAnswer) => ({
  accepted_phases: answer.acceptedPhases,
  allowed: answer.allowed,
  current_phase: answer.currentPhase,
  reason: answer.reason,
  required_phase: answer.requiredPhase,
});

/** `atelier gate`: asks whether a procedure may begin, and records who went through a gate that was shut. */
export const gate: Command = commandGroup({
  name: 'gate',
  help: HELP,
  commands: { check, bypass },
});
