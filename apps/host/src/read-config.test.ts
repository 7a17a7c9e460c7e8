import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG_FILE, readConfig } from './read-config.ts';

const folderWith = (text?: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-config-'));
  if (text !== undefined) writeFileSync(join(folder, CONFIG_FILE), text);
  return folder;
};

describe('the config of a repository', () => {
  it('is optional', async () => {
    expect(await readConfig(folderWith())).toEqual({ sandboxRead: [], allowFilters: [] });
  });

  it('names further paths to read and filters to allow', async () => {
    const text =
      'sandbox: { read: [/opt/tool, ~/cache] }\ngit: { allowFilters: [lfs] }\nx-mine: 1\n';
    expect(await readConfig(folderWith(text))).toEqual({
      sandboxRead: ['/opt/tool', join(homedir(), 'cache')],
      allowFilters: ['lfs'],
    });
  });

  it.each([
    ['sandbx: {}', /no key "sandbx".*|Did you mean sandbox/],
    ['sandbox: { reads: [] }', /sandbox\.reads/],
    ['sandbox: { read: [relative] }', /absolute/],
    ['sandbox: { read: /opt }', /list of texts/],
    ['sandbox: 3', /must be an object/],
    ['- 1', /must be an object/],
  ])('%s is refused', async (text, message) => {
    const refused = await readConfig(folderWith(text)).catch((error: unknown) => error);
    expect(JSON.stringify((refused as { issues: unknown }).issues)).toMatch(message);
  });
});
