import picomatch from 'picomatch';
import { WorktreeError } from '../error.ts';
import { shown } from '../shown.ts';

/** A glob for paths below the top of the clone. */
export interface Pattern {
  readonly text: string;
  /** Whether it names this path, or a folder that the path is in. */
  selects(path: string): boolean;
  /** Whether it may name something inside this folder; a cheap test that errs towards yes. */
  mayReach(folder: string): boolean;
}

/** Extended globs are left out: some of them take exponential time. */
const OPTIONS = { dot: true, nonegate: true, noextglob: true } as const;

const LONGEST = 300;
/** The time that a match can take grows by the power of these. */
const MOST_STARS = 8;
const MOST_STARS_IN_A_SEGMENT = 3;

/** Throws `INVALID_EQUIPMENT` for a pattern that could name something outside the clone or its git dir. */
export function patternOf(text: string): Pattern {
  const clean = text.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  const segments = clean.split('/');
  const why = whyInvalid(clean, segments);
  if (why !== undefined)
    throw new WorktreeError(
      'INVALID_EQUIPMENT',
      `the equipment pattern ${shown(text)} ${why}`,
      'Patterns are relative to the top of the clone, such as .env or packages/*/node_modules.',
    );
  const isMatch = picomatch(clean, OPTIONS);
  const steps = segments.map((segment) => picomatch(segment, OPTIONS));
  return {
    text,
    selects: (path) => foldersOf(path).some((one) => isMatch(one)),
    mayReach(folder) {
      // Braces may hold slashes.
      if (/[{(]/.test(clean)) return true;
      const parts = folder.split('/');
      for (const [at, part] of parts.entries()) {
        const segment = segments[at];
        if (segment === undefined) return false;
        if (segment.includes('**')) return true;
        if (!steps[at]?.(part)) return false;
      }
      return parts.length < segments.length;
    },
  };
}

function whyInvalid(clean: string, segments: readonly string[]): string | undefined {
  if (clean === '') return 'is empty';
  if (clean.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (clean.includes('\0')) return 'has a NUL in it';
  if (clean.startsWith('/') || /^[a-z]:/i.test(clean)) return 'is absolute';
  if (starsIn(clean) > MOST_STARS || segments.some((one) => starsIn(one) > MOST_STARS_IN_A_SEGMENT))
    return 'has too many stars';
  if (segments.includes('..')) return 'leads out of the clone';
  if (segments.some((segment) => segment.toLowerCase() === '.git')) return 'names a git dir';
  return undefined;
}

const starsIn = (text: string): number => text.split(/\*+/).length - 1;

/** The path itself and every folder above it. */
function foldersOf(path: string): string[] {
  const found = [path];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    found.push(path.slice(0, end));
  return found;
}
