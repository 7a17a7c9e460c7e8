import { printable } from '@atelier/envelope';
import { CliTransportError } from './cli-error.ts';
import type { Command } from './command-wrap.ts';

/** Linux takes no single argument or environment entry longer than this, its closing NUL included. */
const LONGEST_ARGUMENT = 128 * 1024;

/** Throws `ARGUMENT_TOO_LONG`. Foreign or long text belongs on standard input. */
export function assertShortEnough({ args, env }: Command): void {
  const texts: [string, string][] = [
    ...args.map((text, at): [string, string] => [`argument ${at + 1}`, text]),
    ...Object.entries(env).map(([name, value]): [string, string] => [
      `the environment variable ${printable(name)}`,
      `${name}=${value}`,
    ]),
  ];
  for (const [what, text] of texts) {
    const bytes = Buffer.byteLength(text);
    if (bytes >= LONGEST_ARGUMENT)
      throw new CliTransportError(
        'ARGUMENT_TOO_LONG',
        `${what} has ${bytes} bytes; the system takes ${LONGEST_ARGUMENT - 1}`,
        'Shorten it, or hand it over in a file or on standard input.',
      );
  }
}
