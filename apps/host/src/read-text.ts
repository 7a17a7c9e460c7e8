import { createReadStream } from 'node:fs';
import { type FileRefusal, refused } from './file-document.ts';

const LARGEST = 64 * 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a directory',
  ENOTDIR: 'its path leads through a file',
  EACCES: 'this user may not read the file',
  EPERM: 'this user may not read the file',
  ELOOP: 'its path is a circle of symbolic links',
  ENAMETOOLONG: 'the name is too long',
};

/**
 * The text of a UTF-8 file of at most 64 MiB, without a byte order mark. Pipes are read as well. Never rejects. With a
 * `source` that is read, and `file` only names it.
 */
export async function readText(
  file: string,
  source?: AsyncIterable<Uint8Array>,
): Promise<{ readonly ok: true; readonly text: string } | FileRefusal> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const bytes of source ?? createReadStream(file)) {
      chunks.push(bytes);
      size += bytes.length;
      if (size > LARGEST) return tooLarge(file);
    }
  } catch (error) {
    return unreadable(file, error);
  }
  const bytes = Buffer.concat(chunks, size);
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return notUtf8(file, bytes);
  }
}

const tooLarge = (path: string): FileRefusal =>
  refused({
    code: 'too-large',
    path,
    message: 'the file is larger than 64 MiB',
    fix: 'Split the plan.',
  });

function unreadable(path: string, error: unknown): FileRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return refused({
    code: 'unreadable-file',
    path,
    message: REASONS[code] ?? `the file can not be read (${code})`,
    fix: 'Name a readable plan in YAML or JSON.',
  });
}

const notUtf8 = (path: string, bytes: Buffer): FileRefusal =>
  refused({
    code: 'not-utf8',
    path,
    message: `the file is not UTF-8: the first invalid byte is at offset ${firstInvalid(bytes)}`,
    fix: 'Save it as UTF-8.',
  });

/** Where the bytes first differ from what a lenient decoder makes of them, back at the start of that character. */
function firstInvalid(bytes: Buffer): number {
  const lenient = Buffer.from(bytes.toString('utf8'), 'utf8');
  let at = 0;
  while (at < bytes.length && bytes[at] === lenient[at]) at += 1;
  while (at > 0 && ((lenient[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
