import { pathEntry } from './path-entry.ts';
import { protectionOf } from './protected.ts';
import type { ProtectedKind } from './protected-names.ts';

/** Why a path may not be written. */
export type Offence =
  | { readonly why: 'undeclared' }
  | { readonly why: 'protected'; readonly kind: ProtectedKind };

/**
 * What a task with these `writes` may change: asks of one changed path, relative to the root, what is wrong with
 * it. An entry is a path, a folder or a pattern. Protected paths need an entry that spells the protected name out;
 * without `writes` everything else is free. Paths are compared exactly.
 */
export function writeScope(
  writes: readonly string[] | null | undefined,
): (path: string) => Offence | undefined {
  const entries = writes?.filter((entry) => typeof entry === 'string').map(pathEntry);
  return (path) => {
    const covering = entries?.filter((entry) => entry.covers(path)) ?? [];
    if (entries && covering.length === 0) return { why: 'undeclared' };
    const found = protectionOf(path);
    if (!found || covering.some((entry) => entry.spells(path, found.segment))) return undefined;
    return { why: 'protected', kind: found.kind };
  };
}
