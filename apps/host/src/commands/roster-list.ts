import { closestName } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import { CORE_PERSONAS } from '@atelier/team-behaviors';
import type { Command } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import { openRoster } from '../team/roster.ts';
import { visibleLines } from '../visible-lines.ts';
import { parseTeamArguments } from './team-arguments.ts';

const LIST = `Usage: atelier roster list [--json] [--repo DIR]

Everybody who can be given a task: id, name, and where the persona comes from (the product, you, or an approved proposal).
`;

const SHOW = `Usage: atelier roster show ID [--json] [--repo DIR]

What a worker with this persona is told.
`;

export const list: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, { command: 'roster list', flags: ['json'] });
  if (given.help) {
    stdout.write(LIST);
    return 0;
  }
  return withProject(given, environment, async ({ store: { team } }) => {
    const { personas } = await openRoster(environment.configFile, team);
    const own = await openRoster(environment.configFile);
    for (const { id, name, role } of personas) {
      const from = CORE.has(id) ? 'product' : own.ids.has(id) ? 'own' : 'approved';
      stdout.write(
        given.flag('json')
          ? jsonLine({ version: 1, id, name, role, from })
          : `${id.padEnd(24)} ${printable(name, 40).padEnd(28)} ${from}\n`,
      );
    }
    return 0;
  });
};

export const show: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, {
    ...{ command: 'roster show', takes: ['ID'], flags: ['json'] },
  });
  if (given.help) {
    stdout.write(SHOW);
    return 0;
  }
  return withProject(given, environment, async ({ store: { team } }) => {
    const roster = await openRoster(environment.configFile, team);
    const persona = roster.get(given.given('ID'));
    if (!persona) throw notThere(given.given('ID'), [...roster.ids]);
    const { id, name, role, profile } = persona;
    stdout.write(
      given.flag('json')
        ? jsonLine({ version: 1, id, name, role, profile })
        : `${id}: ${printable(name, 80)} (${printable(role, 80)})\n\n${visibleLines(profile)}`,
    );
    return 0;
  });
};

const CORE: ReadonlySet<string> = new Set(CORE_PERSONAS.map(({ id }) => id));

function notThere(id: string, known: readonly string[]): HostError {
  const meant = closestName(id, known);
  return new HostError(
    'PERSONA_NOT_IN_ROSTER',
    `${printable(id, 64)} is not in the roster`,
    meant === undefined ? 'See atelier roster list.' : `Did you mean ${meant}?`,
  );
}
