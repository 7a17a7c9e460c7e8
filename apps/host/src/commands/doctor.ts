import { statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProgram } from '@atelier/cli-transport';
import { printable } from '@atelier/envelope';
import { renderIssues } from '@atelier/reporters';
import { type Command, UsageError } from '../command.ts';
import { confine } from '../compose/confine.ts';
import { openProject } from '../compose/project.ts';
import { stateFolder } from '../compose/state-folder.ts';
import { stateHomeOf } from '../compose/state-home.ts';
import { asCodedError, HostError } from '../host-error.ts';
import { parseProjectArguments } from './project-arguments.ts';

const HELP = `Usage: atelier doctor [--repo DIR] [--state-dir DIR]

Tries what a run needs on this machine: git and the repository, the sandbox, the agent, the journal, the
state folder. Nothing is changed but that the journal and the state folder are made.
`;

/** `atelier doctor`: 0 when a run could start here, 2 with what is in the way. */
export const doctor: Command = {
  async run(args, { stdout, stderr }, environment) {
    const given = parseProjectArguments('doctor', args, []);
    if (given.flags.has('help')) {
      stdout.write(HELP);
      return 0;
    }
    if (given.positionals.length > 0)
      throw new UsageError('doctor takes no argument', 'See --help.');
    const stateHome = stateHomeOf(given.stateDir, environment);
    const checks: readonly (readonly [string, () => unknown])[] = [
      ['git', () => findProgram('git')],
      [
        'repository and journal',
        async () => {
          const project = await openProject({
            configFile: environment.configFile,
            dir: resolve(environment.cwd, given.repo ?? '.'),
            stateHome,
          });
          project.store.close();
          return project.repository.topLevel;
        },
      ],
      ['sandbox', async () => (await confine({ allowUnsandboxed: false })).kind],
      ['state folder', () => `${stateFolder(stateHome)}, ${roomIn(stateHome)} free`],
      ['claude (only for --agent claude)', () => findProgram('claude')],
    ];
    let faults = 0;
    for (const [name, check] of checks) {
      try {
        stdout.write(`ok    ${name}: ${printable(String(await check()))}\n`);
      } catch (error) {
        const optional = name.startsWith('claude');
        if (!optional) faults += 1;
        const { message, hint } = asCodedError(error) ?? { message: String(error), hint: '' };
        stderr.write(
          `${optional ? 'note ' : 'FAULT'} ${renderIssues([{ path: name, message, fix: hint }])}`,
        );
      }
    }
    return faults === 0 ? 0 : 2;
  },
};

/** Worktrees need room; less than this ends a run in its middle. */
const LEAST_FREE = 512 * 1024 * 1024;

function roomIn(path: string): string {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  if (free < LEAST_FREE)
    throw new HostError(
      'DISK_FULL',
      `only ${Math.round(free / 2 ** 20)} MiB are free at ${path}`,
      'Free some space, or choose another folder with --state-dir.',
    );
  return `${Math.round(free / 2 ** 30)} GiB`;
}
