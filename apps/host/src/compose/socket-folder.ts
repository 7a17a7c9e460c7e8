import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A private folder with a name short enough for unix sockets, which can not have long paths. What an earlier host of
 * the run was killed in goes first.
 */
export function socketFolder(runDir: string): { readonly path: string; remove(): void } {
  const note = join(runDir, 'sockets');
  const earlier = noted(note);
  if (earlier !== undefined) rmSync(earlier, { recursive: true, force: true });
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(note, path, { mode: 0o600 });
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      rmSync(note, { force: true });
    },
  };
}

const PREFIX = 'atelier-';

/** Only what can have been made here. */
function noted(note: string): string | undefined {
  try {
    const path = readFileSync(note, 'utf8');
    return dirname(path) === tmpdir() && path.startsWith(join(tmpdir(), PREFIX)) ? path : undefined;
  } catch {
    return undefined;
  }
}
