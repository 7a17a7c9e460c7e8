import { plainPath } from '../core/paths.ts';
import { placesOf } from '../core/places.ts';
import { quoted } from '../core/task-issues/received.ts';
import type { Row } from '../core/task-issues/row.ts';
import type { Finding } from './finding.ts';
import { isPath } from './path-issues.ts';

/**
 * What tasks are to write and the repository has with its accents as letters of their own: a checked plan names it in
 * the composed form, which is another file to git, and the one that is there would be outside of what they may write.
 */
export function* decomposedNames(
  rows: readonly Row[],
  exists: (path: string) => boolean,
): Generator<Finding> {
  for (const { live, raw, index, key, label } of rows) {
    if (!live) continue;
    for (const field of ['writes', 'must_produce'] as const) {
      const list: readonly unknown[] = Array.isArray(raw?.[field]) ? raw[field] : [];
      for (const [item, path] of list.entries()) {
        // Only what is beyond ASCII has two forms.
        if (!isPath(path, field === 'writes') || !/[^ -~]/u.test(path)) continue;
        if (!placesIn(path, field).some((place) => isDecomposed(place, exists))) continue;
        yield {
          code: 'invalid-path',
          at: ['tasks', index, field, item],
          taskId: key,
          message: `${field} of ${label} has ${quoted(path)}, whose name in the repository has its accents as letters of their own`,
          fix: 'Rename the file to the composed form (NFC), which is how a plan names it.',
        };
      }
    }
  }
}

const placesIn = (path: string, field: 'writes' | 'must_produce'): readonly string[] =>
  field === 'writes' ? placesOf(path) : [plainPath(path)];

function isDecomposed(place: string, exists: (path: string) => boolean): boolean {
  const [composed, decomposed] = [place.normalize('NFC'), place.normalize('NFD')];
  return composed !== decomposed && !exists(composed) && exists(decomposed);
}
