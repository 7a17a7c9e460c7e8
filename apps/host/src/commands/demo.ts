import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable } from '@atelier/envelope';
import { openStore, storeFile } from '@atelier/store-sqlite';
import { type Command, UsageError } from '../command.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import type { Streams } from '../streams.ts';
import { run } from './run.ts';

const HELP = `Usage: atelier demo [--keep]

Makes a small git repository in a temporary folder and runs a plan of nine tasks on it with a scripted
worker: no account and no tokens are needed. Ends with a report and the log of the merged work.

  --keep   leave the folder, and say where it is
`;

const demoFile = (name: string): string => fileURLToPath(new URL(`demo/${name}`, PACKAGE_ROOT));

/** `atelier demo`: 0 when the run ended as its plan intends. */
export const demo: Command = {
  async run(args, streams, environment) {
    if (args.includes('--help') || args.includes('-h')) {
      streams.stdout.write(HELP);
      return 0;
    }
    const unknown = args.find((arg) => arg !== '--keep');
    if (unknown !== undefined)
      throw new UsageError(`demo does not know ${unknown}`, 'See atelier demo --help.');
    const folder = mkdtempSync(join(tmpdir(), 'atelier-demo-'));
    const repository = join(folder, 'tea');
    try {
      makeRepository(repository);
      const code = await run.run(
        [
          demoFile('plan.yaml'),
          ...['--repo', repository, '--state-dir', join(folder, 'state')],
          ...['--agent', `command:${process.execPath}`, '--agent-arg', demoFile('agent.mjs')],
          ...['--run-mode', 'balanced'],
        ],
        streams,
        environment,
      );
      showLog(repository, streams);
      return code === 3 && endedAsIntended(repository) ? 0 : code === 0 || code === 3 ? 1 : code;
    } finally {
      if (args.includes('--keep')) streams.stdout.write(`kept: ${folder}\n`);
      else rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Seven tasks done, two of them at the second attempt; one that gave up, and the one that needed it. */
const INTENDED =
  'outline complete 1, kinds complete 1, glossary complete 2, green complete 2, taster complete 2, black complete 1, prices abandoned 1, shopping abandoned 0, index complete 1';

function endedAsIntended(repository: string): boolean {
  const store = openStore({ path: storeFile(join(repository, '.git/atelier')) });
  try {
    const [run] = store.runs();
    const rows = run ? [...store.tasks(run.run_id)] : [];
    rows.sort((a, b) => a.position - b.position);
    return (
      rows.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`).join(', ') === INTENDED
    );
  } finally {
    store.close();
  }
}

function git(repository: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost'];
  return execFileSync('git', ['-C', repository, ...identity, ...args], { encoding: 'utf8' });
}

function makeRepository(path: string): void {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', path]);
  writeFileSync(join(path, 'README.md'), '# Tea\n');
  git(path, 'add', '.');
  git(path, 'commit', '--quiet', '-m', 'Begin');
}

function showLog(repository: string, { stdout }: Streams): void {
  const [branch = ''] = git(
    repository,
    'branch',
    '--list',
    'atelier/*',
    '--format=%(refname:short)',
  ).split('\n');
  stdout.write(`\nThe merged work, git log --graph --oneline ${branch}:\n`);
  for (const line of git(repository, 'log', '--graph', '--oneline', branch).trimEnd().split('\n'))
    stdout.write(`  ${printable(line)}\n`);
}
