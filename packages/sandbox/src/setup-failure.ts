import { shown } from './quoted.ts';
import { FRESH_PROC, READ_MORE, USER_NAMESPACES } from './remedies.ts';

interface Cause {
  readonly message: RegExp;
  readonly fix: string;
}

/** bwrap's own messages; it exits with 1. */
const SETUP: readonly Cause[] = [
  {
    message:
      /^bwrap: (?:setting up uid map|Creating new namespace failed|No permissions to creat|loopback: )/mu,
    fix: USER_NAMESPACES,
  },
  { message: /^bwrap: Can't mount proc on/mu, fix: FRESH_PROC },
  { message: /^bwrap: execvp .*(?:No such file|Permission denied)/mu, fix: READ_MORE },
  {
    message: /^bwrap: Can't find source path/mu,
    fix: 'The path went away between the check and the start; make it again and start once more.',
  },
  { message: /^bwrap: /mu, fix: 'The sandbox could not be set up; the message is its own.' },
];

/** What a program says that starts inside and misses a part of itself; it exits with 127. */
const LOADING: readonly Cause[] = [
  { message: /error while loading shared libraries: \S+/u, fix: READ_MORE },
  { message: /^(?:\/usr\/bin\/)?env: .*No such file or directory/mu, fix: READ_MORE },
  { message: /: (?:bad interpreter|required file not found)/u, fix: READ_MORE },
];

/**
 * One sentence with the way out when the sandbox, or the loader of the program inside, failed before the program's own
 * code ran; undefined for any other ending. bwrap leaves no other trace than its `bwrap: ` lines and the status 1, and a
 * worker can print the same: the sentence explains a failure, it decides nothing.
 */
export function setupFailure(exitCode: number | null, stderr: string): string | undefined {
  const causes = exitCode === 1 ? SETUP : exitCode === 127 ? LOADING : [];
  const text = stderr.slice(0, MOST_READ);
  for (const { message, fix } of causes) {
    const at = message.exec(text)?.index;
    if (at === undefined) continue;
    const start = text.lastIndexOf('\n', at) + 1;
    return `${shown(text.slice(start).split('\n', 1)[0] ?? '')}. ${fix}`;
  }
  return undefined;
}

const MOST_READ = 65_536;
