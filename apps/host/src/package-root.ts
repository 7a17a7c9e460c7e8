/** The folder of this package, as a URL with a slash at its end: every file of ours is one folder below it, bundled or not. */
export const PACKAGE_ROOT: URL = new URL('..', import.meta.url);
