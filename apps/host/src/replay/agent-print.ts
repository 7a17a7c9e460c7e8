import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { findProgram } from '@atelier/cli-transport';
import type { JsonValue } from '@atelier/envelope';
import type { AgentChoice } from '../compose/open-agent.ts';

/** Larger files are told apart by size and time alone. */
const HASHED_BYTES = 16_000_000;

/** What tells an agent from another: its program and the files among its arguments, by their content. */
export function agentPrint({ agent, agentArgs }: AgentChoice, cwd: string): JsonValue {
  const named = /^command:(.+)$/su.exec(agent)?.[1] ?? agent;
  const program = named.includes('/') && !isAbsolute(named) ? resolve(cwd, named) : named;
  return [agent, [...agentArgs], printOf(() => findProgram(program)), ...agentArgs.map(fileOf)];
}

const fileOf = (arg: string): JsonValue => (isAbsolute(arg) ? printOf(() => arg) : null);

function printOf(locate: () => string): JsonValue {
  try {
    const path = realpathSync(locate());
    const { size, mtimeMs } = statSync(path);
    const content =
      size > HASHED_BYTES
        ? `${mtimeMs}`
        : createHash('sha256').update(readFileSync(path)).digest('hex');
    return [path, size, content];
  } catch {
    // A folder, or nothing at all: its name is among the arguments.
    return null;
  }
}
