import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../../cli-error.ts';
import { findProgram } from '../../find-program.ts';
import type { ClaudeSettings } from './options.ts';

const run = promisify(execFile);

/**
 * The only version whose behaviour was measured, and the oldest that is taken: the call rests on variables that no help
 * text names. Later ones of the same major version are taken as long as they have every flag.
 */
const OLDEST = [2, 1, 332] as const;
const PROBE_MS = 30_000;

/** The flags of the call that the program's help names; `--max-turns` works and is not among them. */
const FLAGS = [
  '--print',
  '--output-format',
  '--verbose',
  '--json-schema',
  '--model',
  '--permission-mode',
  '--setting-sources',
  '--strict-mcp-config',
  '--disable-slash-commands',
  '--no-session-persistence',
  '--session-id',
  '--max-budget-usd',
  '--tools',
];

/**
 * Asks the program for its version and its flags, in an empty environment with a HOME of its own, and looks for the
 * API socket. Rejects with `PROGRAM_NOT_FOUND`, `CLAUDE_BROKEN`, `CLAUDE_VERSION`, `CLAUDE_FLAGS` or
 * `CLAUDE_API_SOCKET`.
 */
export async function checkProgram(settings: ClaudeSettings): Promise<void> {
  const { apiKey, apiSocket } = settings;
  const program = findProgram(settings.program);
  const home = await mkdtemp(join(tmpdir(), 'atelier-claude-'));
  try {
    checkVersion(await ask(program, '--version', home));
    checkFlags(await ask(program, '--help', home));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  if (apiSocket !== undefined) await checkSocket(apiSocket);
  if (apiSocket !== undefined && apiKey === undefined) await checkAlone(apiSocket);
}

async function ask(program: string, flag: string, home: string): Promise<string> {
  const asked = run(program, [flag], {
    cwd: home,
    env: { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', DISABLE_AUTOUPDATER: '1' },
    timeout: PROBE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
  });
  asked.child.stdin?.end();
  try {
    return (await asked).stdout;
  } catch (cause) {
    throw new CliTransportError(
      'CLAUDE_BROKEN',
      `claude: ${printable(program)} ${flag} does not answer: ${printable(cause)}`,
      'Start it by hand; a reinstallation of Claude Code may be needed.',
      cause,
    );
  }
}

function checkVersion(answer: string): void {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(answer.trim())?.slice(1).map(Number);
  if (found && isSupported(found)) return;
  throw new CliTransportError(
    'CLAUDE_VERSION',
    `claude: version ${printable(answer.trim(), 60)} is not supported`,
    `Install Claude Code ${OLDEST.join('.')} or a later version ${OLDEST[0]}.x.`,
  );
}

const isSupported = ([major = 0, minor = 0, patch = 0]: readonly number[]): boolean =>
  major === OLDEST[0] && (minor > OLDEST[1] || (minor === OLDEST[1] && patch >= OLDEST[2]));

function checkFlags(help: string): void {
  const missing = FLAGS.filter((flag) => !new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(help));
  if (missing.length === 0) return;
  throw new CliTransportError(
    'CLAUDE_FLAGS',
    `claude: this version has no ${missing.join(', ')}`,
    'Update Claude Code.',
  );
}

async function checkSocket(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isSocket()) return;
  throw new CliTransportError(
    'CLAUDE_API_SOCKET',
    `claude: there is no socket at ${printable(path)}`,
    'Open the way to the API before the run.',
  );
}

/** The folder is let in as a whole. */
async function checkAlone(path: string): Promise<void> {
  const others = (await readdir(dirname(path))).filter((name) => name !== basename(path));
  if (others.length === 0) return;
  throw new CliTransportError(
    'CLAUDE_API_SOCKET',
    `claude: beside ${printable(path)} there is ${printable(others.join(', '))}, which workers would see`,
    'Put the socket into a folder of its own.',
  );
}
