// Fetches the real agent programs that the tests drive: pinned, once, into the user's cache, by the ordinary npm
// client and whatever registry it is set up for. They are large and not open source, so they are never a dependency.
//
//   node tooling/setup/fetch-agents.mjs            prints the path of the `claude` program
//   node tooling/setup/fetch-agents.mjs codex      that of the `codex` program; of several, one a line
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What is fetched; `members` is what is kept of the package's archive, all in one folder, the program first. */
const AGENTS = {
  claude: {
    version: '2.1.332',
    package: '@anthropic-ai/claude-code-linux-x64@2.1.332',
    members: ['package/claude'],
    sha512:
      'f4JWhzwYutJIHScC7/dYOPX6s28tt7ZADhsOi8zwOHq5fFPEuUeChh2NMfinSg0GrUckYxaeebC4h0DqiKzLcw==',
  },
  codex: {
    version: '0.171.0',
    // The programs of each platform are versions of the one package.
    package: '@openai/codex@0.171.0-linux-x64',
    members: ['codex', 'codex-code-mode-host'].map(
      (name) => `package/vendor/x86_64-unknown-linux-musl/bin/${name}`,
    ),
    sha512:
      'l66NZkQgdk2C3pbcfULDz42yEUB581MVA6I+Y43Wp4OIqEy73HCdmZ0GTjeAHY2ycuH4N00d9VsLrwT1jxshTw==',
  },
};

const FETCH_LIMIT_MS = 15 * 60_000;

/** The path of a pinned program, by its name. Offline once it was fetched; rejects with a message that says why not. */
export async function fetchAgent(name, cache = agentCache()) {
  const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (!agent)
    throw new Error(`There is no agent ${name}; choose of ${Object.keys(AGENTS).join(', ')}.`);
  const folder = join(cache, `${name}-${agent.version}`);
  const program = join(folder, basename(agent.members[0]));
  if (existsSync(program)) return program;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `The pinned ${name} is for linux-x64, not ${process.platform}-${process.arch}.`,
    );
  }
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, '.fetch-'));
  try {
    const unpacked = await unpack(await download(agent, scratch), agent, scratch);
    // Whoever comes second finds a folder there, and that one is as good.
    await rename(unpacked, folder).catch((error) => {
      if (!existsSync(program)) throw error;
    });
  } catch (error) {
    throw new Error(`${name} ${agent.version} could not be fetched: ${reasonOf(error)}`, {
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

async function download(agent, scratch) {
  // A package named in full, packed in an empty folder: no script of it runs, and no project's settings apply.
  await run('npm', ['pack', agent.package, '--pack-destination', scratch], {
    cwd: scratch,
    timeout: FETCH_LIMIT_MS,
  });
  const tarball = (await readdir(scratch)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack left no archive of ${agent.package}`);
  const path = join(scratch, tarball);
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('base64') !== agent.sha512)
    throw new Error(`the archive of ${agent.package} is not the pinned one`);
  return path;
}

async function unpack(tarball, { members }, scratch) {
  await run('tar', ['-xzf', tarball, '-C', scratch, '--no-same-owner', ...members], {
    timeout: FETCH_LIMIT_MS,
  });
  return join(scratch, dirname(members[0]));
}

const reasonOf = (error) =>
  String(error.stderr || error.message)
    .trim()
    .slice(0, 600);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , ...names] = process.argv;
  try {
    for (const name of names.length > 0 ? names : ['claude']) console.log(await fetchAgent(name));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
