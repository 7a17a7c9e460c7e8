import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { chatServer, endAll } from './stage.ts';

afterEach(endAll);

const run = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  scripts: { accept: string };
};
const home = join(import.meta.dirname, '..');
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);

/** What the script `accept` runs, counted. */
const accept = async (env: NodeJS.ProcessEnv) => {
  const args = [vitest, ...manifest.scripts.accept.split(' ').slice(1), '--reporter=json'];
  const { stdout } = await run(process.execPath, args, { cwd: home, env });
  const { numPassedTests, numTotalTests } = JSON.parse(stdout);
  return { numPassedTests, numTotalTests };
};
const { LOOM_MCP_URL: _, ...without } = process.env;

describe('the acceptance of a real server', () => {
  it('runs against the server of LOOM_MCP_URL, which reaches the test process', async () => {
    const loom = await chatServer();
    const report = await accept({ ...without, LOOM_MCP_URL: loom.url });
    expect(report).toEqual({ numPassedTests: 6, numTotalTests: 6 });
    expect(loom.messages().length).toBeGreaterThan(10);
    expect(loom.sessions()).toBe(0);
  });

  it('registers nothing of it where no server is named', async () => {
    expect(await accept(without)).toEqual({ numPassedTests: 1, numTotalTests: 1 });
  });
});
