import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import type { PhaseEvent, Phases } from '@atelier/store-sqlite';
import type { Command } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import type { Output } from '../streams.ts';
import { projectName } from '../team/project-name.ts';
import { parseTeamArguments } from './team-arguments.ts';

interface Reading {
  readonly name: string;
  readonly help: string;
  show(
    from: { readonly phases: Phases; readonly project: string },
    out: Output,
    json: boolean,
  ): void;
}

/** A command that only looks; a project that is new begins at the first phase. */
const reading =
  ({ name, help, show }: Reading): Command['run'] =>
  async (args, { stdout }, environment) => {
    const given = parseTeamArguments(args, { command: `phase ${name}`, flags: ['json'] });
    if (given.help) {
      stdout.write(help);
      return 0;
    }
    return withProject(given, environment, async (home) => {
      const { phases } = home.store.team;
      const project = projectName(home);
      phases.start(project);
      show({ phases, project }, stdout, given.flag('json'));
      return 0;
    });
  };

export const get: Command['run'] = reading({
  name: 'get',
  help: `Usage: atelier phase get [--json] [--repo DIR]

The phase that the work of this repository is in.
`,
  show({ phases, project }, out, json) {
    const phase = phases.current(project);
    out.write(json ? jsonLine({ version: 1, project, phase }) : `${phase}\n`);
  },
});

export const transitions: Command['run'] = reading({
  name: 'transitions',
  help: `Usage: atelier phase transitions [--json] [--repo DIR]

The phases to which atelier phase advance may go from here, one a line; none at the end.
`,
  show({ phases, project }, out, json) {
    const [phase, next] = [phases.current(project), phases.next(project)];
    out.write(
      json
        ? jsonLine({ version: 1, project, phase, next })
        : next.map((name) => `${name}\n`).join(''),
    );
  },
});

export const history: Command['run'] = reading({
  name: 'history',
  help: `Usage: atelier phase history [--json] [--repo DIR]

Every step and every bypass, oldest first; --json has one object a line.
`,
  show({ phases, project }, out, json) {
    const reasons = new Map(phases.bypasses(project).map(({ id, reason }) => [id, reason]));
    for (const event of phases.history(project)) {
      const reason = event.bypassId === null ? null : (reasons.get(event.bypassId) ?? null);
      out.write(json ? jsonLine({ version: 1, ...event, reason }) : line(event, reason));
    }
  },
});

function line({ at, kind, from, to, agent, detail }: PhaseEvent, reason: string | null): string {
  const parts = [at, kind.padEnd(7), from, kind === 'bypass' ? 'for want of' : 'to', to];
  const more = [detail, reason].flatMap((text) => (text === null ? [] : [printable(text, 300)]));
  return `${[...parts, 'by', printable(agent), ...more.map((text) => `(${text})`)].join(' ')}\n`;
}
