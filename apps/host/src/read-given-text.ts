import { resolve } from 'node:path';
import { HostError } from './host-error.ts';
import { readText } from './read-text.ts';

/** What a command line says of where a text is. */
interface GivenText {
  /** The option that names it. */
  readonly option: string;
  /** A file, or `-` for the standard input. */
  readonly file: string;
  readonly cwd: string;
}

/** A UTF-8 text that a command line names. Throws `UNREADABLE_TEXT`, naming option and file. */
export async function readGivenText({ option, file, cwd }: GivenText): Promise<string> {
  const read = await (file === '-' ? readText('-', process.stdin) : readText(resolve(cwd, file)));
  if (read.ok) return read.text;
  const [issue] = read.issues;
  throw new HostError(
    'UNREADABLE_TEXT',
    `--${option} ${file}: ${issue?.message ?? 'the file can not be read'}`,
    'Nothing was recorded. Name a readable file of UTF-8 text.',
  );
}
