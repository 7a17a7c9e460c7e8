import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.ts';

const fileWith = (text?: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-config-'));
  const path = join(folder, 'config.yaml');
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

describe('the config of the user', () => {
  it('is optional', async () => {
    const nothing = { sandboxRead: [], allowFilters: [], allowHosts: [] };
    expect(await readConfig(fileWith())).toEqual(nothing);
    for (const text of ['', '\n', '# mine\n', '---\n# mine\n'])
      expect(await readConfig(fileWith(text))).toEqual(nothing);
  });

  it('names further paths to read and filters to allow', async () => {
    const text =
      'sandbox: { read: [/opt/tool, ~/cache] }\ngit: { allowFilters: [lfs] }\nx-mine: 1\n';
    expect(await readConfig(fileWith(text))).toEqual({
      sandboxRead: ['/opt/tool', join(homedir(), 'cache')],
      allowFilters: ['lfs'],
      allowHosts: [],
    });
  });

  it('names hosts that may be reached, how a login is renewed, and the run mode', async () => {
    const text =
      'network: { allow: [registry.example] }\nlogin: { refresh: [~/bin/renew, now] }\nrun-mode: Balanced\n';
    expect(await readConfig(fileWith(text))).toMatchObject({
      allowHosts: ['registry.example'],
      refreshLogin: [join(homedir(), 'bin/renew'), 'now'],
      runMode: 'balanced',
    });
  });

  it.each([
    ['run-mode: quick', /run-mode is.*quick/],
    ['run-mod: balanced', /Did you mean run-mode/],
    ['sandbx: {}', /no key "sandbx".*|Did you mean sandbox/],
    ['sandbox: { reads: [] }', /sandbox\.reads/],
    ['sandbox: { read: [relative] }', /absolute/],
    ['sandbox: { read: /opt }', /list of texts/],
    ['sandbox: 3', /must be an object/],
    ['- 1', /must be an object/],
  ])('%s is refused', async (text, message) => {
    const refused = await readConfig(fileWith(text)).catch((error: unknown) => error);
    expect(JSON.stringify((refused as { issues: unknown }).issues)).toMatch(message);
  });
});
