import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A private folder with a name short enough for unix sockets, which can not have long paths. That of an earlier host of
 * the run is used again: its workers look there for the model.
 */
export function socketFolder(runDir: string): { readonly path: string; remove(): void } {
  const note = noteIn(runDir);
  const path = noted(note) ?? made(note);
  return { path, remove: () => removeSocketFolder(runDir) };
}

/** Removes that of a run, if it has one. */
export function removeSocketFolder(runDir: string): void {
  const note = noteIn(runDir);
  const path = noted(note);
  if (path !== undefined) rmSync(path, { recursive: true, force: true });
  rmSync(note, { force: true });
}

const PREFIX = 'atelier-';

const noteIn = (runDir: string): string => join(runDir, 'sockets');

function made(note: string): string {
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(note, path, { mode: 0o600 });
  return path;
}

/** Only what can have been made here, and nobody else can have put something into. */
function noted(note: string): string | undefined {
  try {
    const path = readFileSync(note, 'utf8');
    if (dirname(path) !== tmpdir() || !path.startsWith(join(tmpdir(), PREFIX))) return undefined;
    const there = lstatSync(path);
    const isOurs = there.isDirectory() && there.uid === process.getuid?.();
    return isOurs && (there.mode & 0o077) === 0 ? path : undefined;
  } catch {
    return undefined;
  }
}
