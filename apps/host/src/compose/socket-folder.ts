import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private folder with a name short enough for unix sockets, which can not have long paths. */
export function socketFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'atelier-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
