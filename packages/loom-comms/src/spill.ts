import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortHash, slug } from './slug.ts';

/** Text that is too long for the chat, on its way to a file. */
export interface Spilled {
  /** Absolute. */
  readonly path: string;
  /** Writes the text; false where it can not be. The same text may be written again. */
  write(): Promise<boolean>;
}

/** Below the workspace, so that whoever watches the chat of this folder finds the file. */
const FOLDERS = ['.loom', 'temp'];

/**
 * A file of its own for a text, named by its title and its content. Its folder hides itself from git; `.git` is not
 * touched, since `info/exclude` is the user's.
 */
export function spill(options: {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly runId: string;
  readonly title: string;
  readonly text: string;
}): Spilled {
  const { root, runId, title, text } = options;
  const folders = [...FOLDERS, `${slug(runId)}-${shortHash(runId)}`];
  const path = join(root, ...folders, `${slug(title)}-${shortHash(`${title}\n${text}`)}.md`);
  return {
    path,
    async write() {
      try {
        const temp = await ownFolder(root, FOLDERS);
        await ownFolder(root, folders);
        await writeNew(join(temp, '.gitignore'), '*\n');
        return await writeNew(path, text);
      } catch {
        return false;
      }
    },
  };
}

/** Made one by one: a link in the repository must not lead our writes out of the workspace. */
async function ownFolder(root: string, names: readonly string[]): Promise<string> {
  let path = root;
  for (const name of names) {
    path = join(path, name);
    await mkdir(path, { mode: 0o700 }).catch(() => undefined);
    if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is no folder`);
  }
  return path;
}

async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return (await lstat(path)).isFile() && (await readFile(path, 'utf8')) === text;
  }
}
