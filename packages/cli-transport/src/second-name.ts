import { linkSync, writeFileSync } from 'node:fs';

/**
 * A file of no content of its own under `name`: a second name of `file`, which costs a fraction of making one, or an
 * empty file where there is no such thing. Taking either name away leaves the other.
 */
export function nameAgain(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    // Appending: it may have been there, and be the other one.
    writeFileSync(name, '', { mode: 0o400, flag: 'a' });
  }
}
