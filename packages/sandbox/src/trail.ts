import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** A symlink on the way, at a path that is itself free of symlinks. */
export interface Link {
  readonly at: string;
  readonly to: string;
}

/** Where a path leads, and over which symlinks: inside the walls the same path must work. */
export interface Trail {
  readonly real: string;
  readonly links: readonly Link[];
}

const MOST_LINKS = 40;

/** Follows an absolute path the way the kernel does. Throws Node's error when a part is missing or the links go round. */
export function trail(path: string): Trail {
  const links: Link[] = [];
  const ahead = path.split('/');
  let real = '/';
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      real = dirname(real);
      continue;
    }
    const next = join(real, name);
    if (!lstatSync(next).isSymbolicLink()) {
      real = next;
      continue;
    }
    const to = readlinkSync(next);
    links.push({ at: next, to });
    if (links.length > MOST_LINKS) throw new Error(`too many symlinks on the way to ${path}`);
    if (isAbsolute(to)) real = '/';
    ahead.unshift(...to.split('/'));
  }
  return { real, links };
}
