import { glob, isGlob } from './glob.ts';
import { PROTECTED_NAMES, type ProtectedKind } from './protected-names.ts';

/** The part of a path that makes it protected. */
export interface Protection {
  readonly kind: ProtectedKind;
  /** As the path spells it. */
  readonly segment: string;
}

const NAMES: ReadonlyMap<string, ProtectedKind> = new Map(
  PROTECTED_NAMES.toReversed().flatMap(({ kind, names }) =>
    names.filter((name) => !isGlob(name)).map((name) => [name, kind] as const),
  ),
);

const PATTERNS = PROTECTED_NAMES.flatMap(({ kind, names }) =>
  names.filter(isGlob).map((name) => ({ kind, matches: glob(name) })),
);

/** The outermost protected part of a path: whoever may write a folder may write what is in it. */
export function protectionOf(path: string): Protection | undefined {
  for (const segment of path.split('/')) {
    const name = folded(segment);
    const kind = NAMES.get(name) ?? PATTERNS.find(({ matches }) => matches(name))?.kind;
    if (kind) return { kind, segment };
  }
  return undefined;
}

/** The kind of protection that a path is under; `undefined` for ordinary paths. */
export const isProtected = (path: string): ProtectedKind | undefined => protectionOf(path)?.kind;

/** As the most forgiving file system reads a name: case, compatible forms, unseen characters, trailing dots. */
const folded = (segment: string): string =>
  segment
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
