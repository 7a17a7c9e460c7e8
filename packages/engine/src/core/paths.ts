const DETOUR = /(^|\/)\.{0,2}(\/|$)/u;

/**
 * `./a`, `a/` and `a//b/../` are spellings of paths that POSIX resolves to the same file as the plain one. The empty path
 * is the whole repository.
 */
export function plainPath(path: string): string {
  if (!DETOUR.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

/** The names on the way to a plain path. */
export const partsOf = (path: string): readonly string[] => (path === '' ? [] : path.split('/'));

const ASCII = /^[\0-\x7f]*$/u;

/**
 * The text by which paths are compared where file systems may tell neither case nor composition apart. Upwards first,
 * since some letters have two small forms.
 */
export const caseless = (path: string): string =>
  ASCII.test(path)
    ? path.toLowerCase()
    : path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
