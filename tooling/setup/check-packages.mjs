// Packs every package as npm would publish it, and has publint and attw look at what is in it. All in one process: a
// start of npm and one of the TypeScript that attw brings along take ten times as long as a look at a package.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getExitCode } from '@arethetypeswrong/cli/internal/getExitCode';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** As the profile `esm-only` of attw has it. */
const ESM_ONLY = { ignoreResolutions: ['node10', 'node16-cjs'] };

const root = join(import.meta.dirname, '../..');

// The part of attw that checks is one of its own dependencies.
const ofAttw = createRequire(
  createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json'),
);
const attw = await import(
  pathToFileURL(join(ofAttw.resolve('@arethetypeswrong/core/package.json'), '../dist/index.js'))
);

const folders = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => `./${group}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json'))),
);
const packs = mkdtempSync(join(tmpdir(), 'atelier-packs-'));
const findings = [];
try {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', packs, ...folders];
  const packed = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
  if (packed.length !== folders.length) throw new Error('npm has not packed every package');
  for (const { filename, name } of packed) {
    const bytes = new Uint8Array(readFileSync(join(packs, filename)));
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
    findings.push(...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg)}`));
    const analysis = await attw.checkPackage(attw.createPackageFromTarballData(bytes));
    if (getExitCode(analysis, ESM_ONLY) !== 0)
      findings.push(`${name}: attw: ${JSON.stringify(analysis.problems)}`);
  }
} finally {
  rmSync(packs, { recursive: true, force: true });
}
if (findings.length > 0) {
  console.error(findings.join('\n'));
  process.exitCode = 1;
}
