import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { play } from './transcript.ts';

const folder = join(import.meta.dirname, 'transcripts');

it.each(readdirSync(folder).filter((name) => name.endsWith('.txt')))('%s', async (name) => {
  const path = join(folder, name);
  await expect(await play(readFileSync(path, 'utf8'))).toMatchFileSnapshot(path);
});
