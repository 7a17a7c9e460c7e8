import { rmSync } from 'node:fs';
import type { AttemptFolder } from './attempt-folder.ts';
import { nameAgain } from './second-name.ts';

/** What a supervisor looks for right before it starts the program. Made after the locks. */
export function givePermit({ permit, workerLock }: AttemptFolder): void {
  nameAgain(workerLock, permit);
}

/**
 * From now on no supervisor of this attempt starts anything; one that has shown itself before may have. Taking a file
 * away and not leaving one: that works on a full disk. On one that can not be written no supervisor gets as far.
 */
export function withdrawPermit({ permit }: AttemptFolder): void {
  try {
    rmSync(permit, { force: true });
  } catch {
    // There is no folder, so no supervisor was started; or it can not be written.
  }
}
