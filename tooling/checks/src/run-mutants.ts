import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const root = join(import.meta.dirname, '../../..');

/** Breaks one guard, runs the tests, mends it again. Gives the first test that noticed. */
function tryMutant({ file, find, replace, tests }: Mutant): string | undefined {
  const path = join(root, file);
  const original = readFileSync(path, 'utf8');
  if (original.split(find).length !== 2) throw new Error(`${file} must hold exactly once: ${find}`);
  writeFileSync(
    path,
    original.replace(find, () => replace),
  );
  try {
    // Packages are tested against the compiled form of the others.
    spawnSync('npx', ['tsc', '-b', '--force', file.split('/').slice(0, 2).join('/')], {
      cwd: root,
    });
    const args = ['vitest', 'run', '--bail=1', '--reporter=json', '--testTimeout=120000', ...tests];
    const { status, stdout } = spawnSync('npx', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    return status === 0 ? undefined : firstFailure(stdout);
  } finally {
    writeFileSync(path, original);
  }
}

function firstFailure(stdout: string): string {
  const line = stdout.split('\n').find((one) => one.startsWith('{"numTotalTestSuites"'));
  if (!line) return 'the run itself';
  const report = JSON.parse(line) as {
    testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
  };
  for (const { assertionResults } of report.testResults)
    for (const { status, fullName } of assertionResults)
      if (status === 'failed') return fullName.trim();
  return 'a file that no longer loads';
}

const [only] = process.argv.slice(2);
const dirty = execFileSync(
  'git',
  ['status', '--porcelain', '--', ...MUTANTS.map(({ file }) => file)],
  {
    cwd: root,
    encoding: 'utf8',
  },
);
if (dirty && !only) throw new Error(`commit first; a mutant would be written over:\n${dirty}`);

let survivors = 0;
const chosen = MUTANTS.filter(({ guard }) => !only || guard.includes(only));
for (const mutant of chosen) {
  const noticed = tryMutant(mutant);
  if (noticed === undefined) survivors += 1;
  console.log(
    `${noticed === undefined ? 'SURVIVED' : 'noticed'}  ${mutant.guard}\n          ${noticed ?? ''}`,
  );
}
spawnSync('npx', ['tsc', '-b'], { cwd: root });
console.log(`${chosen.length} guards broken, ${survivors} unnoticed`);
process.exitCode = survivors === 0 ? 0 : 1;
