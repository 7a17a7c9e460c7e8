import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../src/find-program.ts';
import { folder, PATH } from './project.ts';

/** A PATH on which `bwrap` is this shell script. */
export function stubBwrap(script: string): string {
  const bin = folder();
  writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'bwrap'), 0o755);
  return `${bin}:${PATH}`;
}

/**
 * A PATH on which `bwrap` is the real one, but for the arguments of which `dropped` says so: a case pattern of the
 * shell, for the option and its two operands joined by spaces, and how many words go.
 */
export function bwrapWithout(
  ...dropped: readonly (readonly [pattern: string, words: number])[]
): string {
  const cases = dropped.map(
    ([pattern, words]) => `${pattern}) n=$((n - ${words})); shift ${words};;`,
  );
  return stubBwrap(`
    n=$#
    while [ "$n" -gt 0 ]; do
      if [ "$1" = -- ]; then while [ "$n" -gt 0 ]; do set -- "$@" "$1"; shift; n=$((n - 1)); done; break; fi
      case "$1 $2 $3" in
        ${cases.join('\n        ')}
        *) set -- "$@" "$1"; shift; n=$((n - 1));;
      esac
    done
    exec '${findProgram('bwrap', PATH)}' "$@"`);
}
