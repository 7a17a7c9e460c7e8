/** What the evidence of a checked attempt tells people. */
export interface WorkFacts {
  /** Files and lines that were changed; absent where it does not say. */
  readonly size?: {
    readonly files: number;
    readonly insertions: number;
    readonly deletions: number;
  };
  /** Files whose hash is not the one that the worker named. */
  readonly mismatches: readonly { readonly path: string; readonly missing: boolean }[];
  /** Work of the same wave that does not go together with it. */
  readonly conflicts: readonly { readonly task: string; readonly paths: readonly string[] }[];
}

/** Entries of one list that are looked at. */
const MOST = 100;

/** Reads evidence of any origin: what it does not hold, or holds in another form, is left out. Its texts are foreign. */
export function factsIn(evidence: unknown): WorkFacts {
  const { changed, insertions, deletions, mismatches, conflicts } = object(evidence);
  const told = isCount(changed) && isCount(insertions) && isCount(deletions);
  return {
    ...(told ? { size: { files: changed, insertions, deletions } } : {}),
    mismatches: list(mismatches).flatMap((entry) => {
      const { path, claimed, found } = object(entry);
      const usable = typeof path === 'string' && typeof claimed === 'string';
      return usable ? [{ path, missing: typeof found !== 'string' }] : [];
    }),
    conflicts: list(conflicts).flatMap((entry) => {
      const { taskId, paths } = object(entry);
      if (typeof taskId !== 'string' && typeof taskId !== 'number') return [];
      return [{ task: `${taskId}`, paths: list(paths).filter((path) => typeof path === 'string') }];
    }),
  };
}

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MOST) : [];

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
