import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/**
 * What has to be readable so that a program finds what it was installed with: the tree of node_modules it is in, the
 * prefix whose `bin` it is in, or its own folder; the first of them that `exposes` nothing private, else the file alone.
 * A project's root is never taken for a prefix: beside `bin` it holds what no worker should read.
 */
export function installFolder(file: string, exposes: (folder: string) => boolean): string {
  const folder = dirname(file);
  const candidates = [
    ...modulesAbove(file),
    ...(isPrefix(folder) ? [dirname(folder)] : []),
    folder,
  ];
  return candidates.find((candidate) => !exposes(candidate)) ?? file;
}

function modulesAbove(file: string): string[] {
  const parts = file.split(sep);
  const at = parts.indexOf('node_modules');
  return at < 0 ? [] : [parts.slice(0, at + 1).join(sep)];
}

function isPrefix(bin: string): boolean {
  const has = (name: string): boolean => existsSync(join(dirname(bin), name));
  return basename(bin) === 'bin' && (has('lib') || has('libexec')) && !has('.git');
}

/** The nearest package.json, which tells Node the module type of a script; to be readable as a file of its own. */
export function packageFile(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) return path;
  }
  return undefined;
}
