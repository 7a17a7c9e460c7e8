import { join } from 'node:path';
import type { RunEvent } from '@atelier/engine';
import { openStore, storeFile } from '@atelier/store-sqlite';
import { RUN_ID, type Scene } from './scene.ts';

/** Every event of the scene's run; empty when it never began. */
export async function eventsOf({ repo }: Pick<Scene, 'repo'>): Promise<readonly RunEvent[]> {
  const store = openStore({ path: storeFile(join(repo, '.git', 'atelier')) });
  try {
    return await store.journal.load(RUN_ID);
  } finally {
    store.close();
  }
}
