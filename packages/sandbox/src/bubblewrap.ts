import { spawnSync } from 'node:child_process';
import type { Access } from './access.ts';
import { attesting } from './attesting.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import type { Command } from './command.ts';
import { confine } from './confinement.ts';
import { unavailable } from './error.ts';
import { DEFAULT_PATH, findProgram, isProgram } from './find-program.ts';
import { PACKAGES } from './remedies.ts';
import type { Sandbox } from './sandbox.ts';
import { systemMounts } from './system-mounts.ts';

export interface BubblewrapOptions {
  /** Where to look for `bwrap` and `env`; the process's own PATH when absent. */
  readonly path?: string;
  /** The agent makes user namespaces of its own inside, which are forbidden otherwise. */
  readonly nestable?: boolean;
}

const MOST_MS = 10_000;

/**
 * Walls of Linux namespaces, by bubblewrap: only the worktree and a private HOME can be written, there is no network, no
 * process of the host, and nothing outlives the end of the sandbox. Throws `SANDBOX_UNAVAILABLE` without `bwrap`.
 *
 * The environment is cleared twice. bwrap clears what the command gets, but is itself the first process inside, and its
 * own environment can be read there; `env -i` sees to it that there is nothing to read, whoever spawns it.
 */
export function bubblewrap(options: BubblewrapOptions = {}): Sandbox {
  const path = options.path ?? process.env['PATH'] ?? DEFAULT_PATH;
  const bwrap = findProgram('bwrap', path);
  if (bwrap === undefined)
    throw unavailable('bwrap is not on the PATH, so no worker can be confined', PACKAGES);
  const env = envProgram(path);
  const nestable = options.nestable === true || !canForbidNesting(bwrap);
  // Once: what the self-test has tried is what every worker gets.
  const walls = { program: bwrap, system: systemMounts(), nestable };
  const wrap = (command: Command, access: Access): Command => ({
    file: env,
    args: ['-i', bwrap, ...bwrapArguments(confine(command, access, ['/usr']), walls)],
    cwd: '/',
    env: {},
  });
  return attesting({ kind: 'bwrap', wrap, nestable, socketInside: '/run/atelier-probe.sock' });
}

/** `--disable-userns` came with bubblewrap 0.8. */
function canForbidNesting(bwrap: string): boolean {
  const help = spawnSync(bwrap, ['--help'], { encoding: 'utf8', env: {}, timeout: MOST_MS });
  return `${help.stdout}`.includes('--disable-userns');
}

function envProgram(path: string): string {
  const env = isProgram('/usr/bin/env') ? '/usr/bin/env' : findProgram('env', path);
  if (env === undefined)
    throw unavailable('env is not on the PATH, so the environment can not be cleared', PACKAGES);
  return env;
}
