// Fetches the real agent programs that the tests drive: pinned, once, into the user's cache, by the ordinary npm
// client and whatever registry it is set up for. They are large and not open source, so they are never a dependency.
//
//   node tooling/setup/fetch-agents.mjs     prints the path of the `claude` program
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CLAUDE = {
  name: '@anthropic-ai/claude-code-linux-x64',
  version: '2.1.332',
  sha512:
    'f4JWhzwYutJIHScC7/dYOPX6s28tt7ZADhsOi8zwOHq5fFPEuUeChh2NMfinSg0GrUckYxaeebC4h0DqiKzLcw==',
};

const FETCH_LIMIT_MS = 15 * 60_000;

/** The path of the pinned `claude` program. Offline once it was fetched; rejects with a message that says why not. */
export async function fetchClaude(cache = agentCache()) {
  const folder = join(cache, `claude-${CLAUDE.version}`);
  const program = join(folder, 'claude');
  if (existsSync(program)) return program;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`The pinned claude is for linux-x64, not ${process.platform}-${process.arch}.`);
  }
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, '.fetch-'));
  try {
    const unpacked = await unpack(await download(scratch), scratch);
    // Whoever comes second finds a folder there, and that one is as good.
    await rename(unpacked, folder).catch((error) => {
      if (!existsSync(program)) throw error;
    });
  } catch (error) {
    throw new Error(`claude ${CLAUDE.version} could not be fetched: ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return program;
}

function agentCache() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'atelier', 'agents');
}

async function download(scratch) {
  const wanted = `${CLAUDE.name}@${CLAUDE.version}`;
  // A package named in full, packed in an empty folder: no script of it runs, and no project's settings apply.
  await run('npm', ['pack', wanted, '--pack-destination', scratch], {
    cwd: scratch,
    timeout: FETCH_LIMIT_MS,
  });
  const tarball = (await readdir(scratch)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack left no archive of ${wanted}`);
  const path = join(scratch, tarball);
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('base64') !== CLAUDE.sha512)
    throw new Error(`the archive of ${wanted} is not the pinned one`);
  return path;
}

async function unpack(tarball, scratch) {
  await run('tar', ['-xzf', tarball, '-C', scratch, '--no-same-owner', 'package/claude'], {
    timeout: FETCH_LIMIT_MS,
  });
  return join(scratch, 'package');
}

const reasonOf = (error) =>
  String(error.stderr || error.message)
    .trim()
    .slice(0, 600);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(await fetchClaude());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
