import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadPersonas, type Persona } from '@atelier/team-behaviors';

/** Where the personas of a user are: a folder beside the config. */
const personasFolder = (configFile: string): string => join(dirname(configFile), 'personas');

/** The personas in the JSON files of that folder, which need not be there. Throws `ROSTER_INVALID` with every defect. */
export async function ownPersonas(configFile: string): Promise<readonly Persona[]> {
  const folder = personasFolder(configFile);
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  return loadPersonas(
    await Promise.all(
      names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
    ),
  );
}
