import { lstat, readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { objectOf, parseJson, textOf } from './json-value.ts';
import { loopbackUrl } from './loopback-url.ts';
import { capOf } from './tool-values.ts';

const LONGEST = 64 * 1024;

/** The server that says it serves this folder. */
export interface Endpoint {
  readonly url: URL;
  readonly maxBody: number | undefined;
}

/**
 * Reads `<root>/.loom/mcp.json`. A text says why it does not count: the file is stale when its process is dead, and of
 * another folder when it was copied. Never rejects.
 */
export async function endpointFile(root: string): Promise<Endpoint | string> {
  try {
    const path = join(root, '.loom', 'mcp.json');
    const stat = await lstat(path);
    if (!stat.isFile() || stat.size > LONGEST) return 'its endpoint file is no such file';
    if (process.getuid && stat.uid !== process.getuid())
      return 'its endpoint file is of another user';
    const told = objectOf(parseJson(await readFile(path, 'utf8')));
    const url = loopbackUrl(textOf(told['url']));
    if (!url) return 'its endpoint file names no server on this machine';
    if (!isAlive(told['pid'])) return 'its process has ended';
    const folder = textOf(told['rootDir']);
    // As text: a path that resolves to wherever one stands, such as /proc/self/cwd, would fit every folder.
    if (!isAbsolute(folder) || ![root, await realpath(root)].includes(normalize(folder)))
      return 'it serves another folder';
    return { url, maxBody: capOf(told['maxBodyLength']) };
  } catch {
    return 'no server has told of itself';
  }
}

function isAlive(pid: unknown): boolean {
  // Zero and below name groups of processes.
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is no server of ours.
    return objectOf(error)['code'] === 'EPERM' && process.getuid?.() === 0;
  }
}
