/**
 * How git has the disk keep the objects and refs that it writes. `each`: one flush for every one of them. `together`:
 * one flush for all objects of the command, which file systems with one ordered log keep as well.
 */
export type Lasting = 'each' | 'together';

/** Objects as well as refs, whatever the repository's config says. Directories are left to the file system's log. */
const COMPONENTS = 'core.fsync=committed,reference';
const METHODS: Readonly<Record<Lasting, string>> = {
  each: 'core.fsyncMethod=fsync',
  together: 'core.fsyncMethod=batch',
};

/** Options that come before the name of a git command. */
export const lastingOptions = (lasting: Lasting | undefined): readonly string[] =>
  lasting === undefined ? [] : ['-c', COMPONENTS, '-c', METHODS[lasting]];
