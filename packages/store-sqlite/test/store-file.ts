import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../src/index.ts';

/** The path of a file that is not there yet, in a folder that goes when the test does. */
export function storePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'atelier.db');
}

/** A store that is closed when the test ends. */
export function storeAt(path: string): Store {
  const store = openStore({ path });
  onTestFinished(() => store.close());
  return store;
}
