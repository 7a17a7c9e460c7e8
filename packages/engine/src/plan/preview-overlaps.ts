import { printable } from '@atelier/envelope';
import { type Claims, claimsOf } from '../core/order/claims.ts';
import type { Pairing } from '../core/pairing.ts';
import type { ScheduledWave } from '../core/schedule.ts';
import { taskKey } from '../core/task.ts';
import { claimIndex } from './preview-claims.ts';
import type { PreviewWarning } from './preview-warning.ts';

/** So many of a kind are spelled out; the rest is counted with the last. */
const SHOWN = 20;

interface OverlapOptions {
  readonly pairing: Pairing;
  readonly schedule: 'parallel' | 'pipeline';
}

/**
 * What tasks of one wave may do to each other where a plan is allowed to say so: patterns and names that differ by case
 * may meet, a reader does not see what is written beside it, and who does not say what it writes may meet anybody. At
 * most {@link SHOWN} of each kind. Paths are compared as claims spell them: without case, patterns by their folder.
 */
export function overlapWarnings(
  waves: readonly ScheduledWave[],
  { pairing, schedule }: OverlapOptions,
): readonly PreviewWarning[] {
  const written = shortList('write-overlap');
  const read = shortList('read-overlap');
  const unstated = shortList('unstated-overlap');
  for (const [wave, { tasks }] of waves.entries()) {
    if (tasks.length < 2) continue;
    const claimants = tasks
      .map((task) => ({ key: taskKey(task.id), claims: claimsOf(task) }))
      // A reviewer looks at what its author wrote, and writes nothing.
      .filter(({ key }) => !pairing.authors.has(key));
    const index = claimIndex();
    for (const { key, claims } of claimants) {
      if (claims.writes === 'anything') continue;
      for (const path of claims.writes) {
        const other = index.find([path], key);
        if (other)
          written.add(
            key,
            () =>
              `${named(other.key)} and ${named(key)} of wave ${wave + 1} may both write ${at(path)}`,
          );
      }
      index.add(claims.writes, { key, wave });
    }
    const earlier = claimIndex();
    for (const { key, claims } of claimants) {
      for (const path of claims.reads === 'anything' ? [] : claims.reads) {
        // Without barriers, of two tasks that conflict the one that comes first in the wave goes first.
        const before = schedule === 'pipeline' ? earlier.find([path], key) : undefined;
        const other = before ?? index.find([path], key);
        if (!other) continue;
        const seen = before ? 'waits' : schedule === 'pipeline' ? 'awaited' : 'barrier';
        read.add(
          key,
          () =>
            `${named(key)} reads ${at(path)}, which ${named(other.key)} of the same wave may write: ${SEEN[seen]}`,
        );
      }
      if (claims.writes !== 'anything') earlier.add(claims.writes, { key, wave });
    }
    const open = claimants.filter(({ claims }) => claims.writes === 'anything');
    const writers = claimants.filter(isWriter).length;
    const [first, ...more] = open;
    if (!first || writers < 2) continue;
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    unstated.add(
      first.key,
      () =>
        `wave ${wave + 1} has ${writers} tasks that write, and ${named(first.key)}${others} may meet any of them, for not saying what it writes`,
    );
  }
  return [...written.all(), ...read.all(), ...unstated.all()];
}

/** What a reader finds of a file that is written beside it. */
const SEEN = {
  barrier: 'it sees what was there before their wave',
  waits: 'it waits for that, and sees what is merged of it',
  awaited: 'that waits for it, so that it sees what was there before',
} as const;

const isWriter = ({ claims: { writes } }: { readonly claims: Claims }): boolean =>
  writes === 'anything' || writes.length > 0;

const named = (key: string): string => `task "${printable(key, 60)}"`;

const at = (path: string): string =>
  path === '' ? 'anywhere' : `"${printable(path, 120)}" or in it`;

function shortList(code: PreviewWarning['code']) {
  const shown: PreviewWarning[] = [];
  let all = 0;
  return {
    add(taskId: string, message: () => string): void {
      all += 1;
      if (shown.length < SHOWN) shown.push({ code, taskId, message: message() });
    },
    all(): readonly PreviewWarning[] {
      const rest = all - shown.length;
      const last = shown.at(-1);
      if (rest === 0 || !last) return shown;
      return [
        ...shown.slice(0, -1),
        { ...last, message: `${last.message} (and ${rest} more like it)` },
      ];
    },
  };
}
