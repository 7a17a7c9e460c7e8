import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LONGEST_OUTPUT = 256 * 2 ** 20;

/** What git says of the clone that `dir` is in; undefined where it fails. Nothing is written, nothing fetched. */
export async function askGit(dir: string, args: readonly string[]): Promise<string | undefined> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin' } = process.env;
  const found = await promisify(execFile)('git', ['--no-replace-objects', '-C', dir, ...args], {
    ...{ encoding: 'utf8', maxBuffer: LONGEST_OUTPUT },
    // Nothing of the caller's but where programs are: no other repository, no config of a person.
    env: {
      ...{ PATH, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
      ...{ GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
    },
  }).catch(() => undefined);
  return found?.stdout;
}
