import type { Equipment } from './equip.ts';
import { patternOf } from './pattern.ts';

/** Throws `INVALID_EQUIPMENT` for the first pattern that no worktree could be equipped by. */
export function assertPatterns({ copy = [], link = [] }: Equipment = {}): void {
  for (const text of [...copy, ...link]) patternOf(text);
}
