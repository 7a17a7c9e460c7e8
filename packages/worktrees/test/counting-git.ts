import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './scratch.ts';

const PATH = process.env['PATH'] ?? '';

/** The git commands that are started during a step, by their names. */
export async function commandsOf(step: () => Promise<unknown>): Promise<string[]> {
  const bin = scratch();
  const log = join(bin, 'log');
  mkdirSync(join(bin, 'bin'));
  writeFileSync(log, '');
  const real = PATH.split(':')
    .map((folder) => join(folder, 'git'))
    .find(existsSync);
  const script = `#!/bin/sh
for word; do
  if [ "$skip" ]; then skip=; continue; fi
  case $word in -c) skip=1;; -*) ;; *) echo "$word" >>'${log}'; break;; esac
done
exec '${real}' "$@"
`;
  writeFileSync(join(bin, 'bin/git'), script, { mode: 0o755 });
  process.env['PATH'] = `${bin}/bin:${PATH}`;
  try {
    await step();
  } finally {
    process.env['PATH'] = PATH;
  }
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
