import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { printable } from '@atelier/envelope';
import { loadPersonas, type Persona } from '@atelier/team-behaviors';
import { HostError } from '../host-error.ts';

/** Bytes of one file. */
const LONGEST = 1_048_576;

/**
 * The personas in the JSON files of `personas/` beside the config, which need not be there. Throws `ROSTER_INVALID` with
 * every defect of their texts, and `PERSONAS_UNREADABLE` for a file that is none or too long.
 */
export async function ownPersonas(configFile: string): Promise<readonly Persona[]> {
  const folder = join(dirname(configFile), 'personas');
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json'));
  return loadPersonas(
    await Promise.all(
      names.map(async (name) => ({ name, text: await textOf(join(folder, name)) })),
    ),
  );
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unreadable(folder, error);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size > LONGEST) throw new Error('it is longer than 1 MiB');
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, error: unknown): HostError =>
  new HostError(
    'PERSONAS_UNREADABLE',
    `the personas in ${printable(path, 300)} can not be read: ${printable(error, 200)}`,
    'Put it right or take it away: every run looks there for whom tasks may name.',
  );
