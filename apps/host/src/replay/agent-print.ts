import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { findProgram } from '@atelier/cli-transport';
import type { JsonValue } from '@atelier/envelope';
import { knownAgent, programIn } from '../compose/agents.ts';
import type { AgentChoice } from '../compose/open-agent.ts';

/** Larger files are told apart by size and time alone. */
const HASHED_BYTES = 16_000_000;

const VERSION_MS = 30_000;
const LONGEST_VERSION = 1_000;

/**
 * What tells an agent from another: its program and the files among its arguments, by their content, and of an agent
 * that is ours to call also what it says its version is: its program may only be a door to the rest of it. A program of
 * the user's is not asked: nobody said what it does when it is. What can not be told is never the same twice.
 */
export function agentPrint({ agent, agentArgs }: AgentChoice, cwd: string): JsonValue {
  const known = knownAgent(agent);
  const name = known?.program ?? programIn(agent) ?? agent;
  const located = name.includes('/') && !isAbsolute(name) ? resolve(cwd, name) : name;
  const program = printOf(() => findProgram(located));
  const version = known ? versionOf(known.program) : null;
  return [agent, [...agentArgs], program, version, ...agentArgs.map(fileOf)];
}

const fileOf = (arg: string): JsonValue => (isAbsolute(arg) ? printOf(() => arg) : null);

function printOf(locate: () => string): JsonValue {
  try {
    const path = realpathSync(locate());
    const stats = statSync(path);
    // Whatever is in a folder may count.
    if (!stats.isFile()) return randomUUID();
    const content =
      stats.size > HASHED_BYTES
        ? `${stats.mtimeMs}`
        : createHash('sha256').update(readFileSync(path)).digest('hex');
    return [path, stats.size, content];
  } catch {
    // Nothing is there: its name is among the arguments.
    return null;
  }
}

/** Asked in an empty environment with a HOME of its own, where it can neither be configured nor leave anything. */
function versionOf(program: string): string {
  const home = mkdtempSync(join(tmpdir(), 'atelier-version-'));
  try {
    const { status, stdout } = spawnSync(findProgram(program), ['--version'], {
      cwd: home,
      env: { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', DISABLE_AUTOUPDATER: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      ...{ timeout: VERSION_MS, killSignal: 'SIGKILL', encoding: 'utf8' },
    });
    return status === 0 ? stdout.slice(0, LONGEST_VERSION) : randomUUID();
  } catch {
    return randomUUID();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
