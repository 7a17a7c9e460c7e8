import { rmSync, writeFileSync } from 'node:fs';
import type { AttemptFolder } from './attempt-folder.ts';

/** What a supervisor looks for right before it starts the program. */
export function givePermit({ permit }: AttemptFolder): void {
  writeFileSync(permit, '', { mode: 0o600 });
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
