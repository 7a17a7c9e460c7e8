import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../../cli-error.ts';
import { findProgram } from '../../find-program.ts';
import { argumentsOf } from './arguments.ts';
import type { CodexSettings } from './options.ts';

const run = promisify(execFile);

/** The only version whose behaviour was measured, and the oldest that is taken; later ones have to take the whole call. */
const OLDEST = [0, 171] as const;
const PROBE_MS = 30_000;

/** What the program says to a call that it likes, when there is no briefing. */
const NO_PROMPT = /\bNo prompt provided\b/;

/** Any port will do: nothing is asked of the model. */
const PORT = 20_000;

/**
 * Asks the program for its version, and makes the call of an attempt without a briefing, which it refuses after having
 * checked every flag and every setting; in an empty environment with a HOME of its own. Looks for the API socket. Rejects
 * with `PROGRAM_NOT_FOUND`, `CODEX_BROKEN`, `CODEX_VERSION`, `CODEX_FLAGS` or `CODEX_API_SOCKET`.
 */
export async function checkProgram(settings: CodexSettings): Promise<void> {
  const program = findProgram(settings.program);
  const home = await mkdtemp(join(tmpdir(), 'atelier-codex-'));
  try {
    checkVersion(await version(program, home));
    checkCall(await sayNothing(program, home, settings));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  await checkSocket(settings.apiSocket);
}

async function version(program: string, home: string): Promise<string> {
  try {
    return (await asked(program, ['--version'], home)).stdout;
  } catch (cause) {
    throw new CliTransportError(
      'CODEX_BROKEN',
      `codex: ${printable(program)} --version does not answer: ${printable(cause)}`,
      'Start it by hand; a reinstallation of Codex may be needed.',
      cause,
    );
  }
}

/** What the program says on its error output. */
async function sayNothing(program: string, home: string, settings: CodexSettings): Promise<string> {
  const varying = { port: PORT, schemaFile: join(home, 'schema.json'), model: settings.model };
  try {
    return (await asked(program, argumentsOf(settings, varying), home)).stderr;
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr ?? error);
  }
}

async function asked(program: string, args: readonly string[], home: string) {
  const answer = run(program, args, {
    cwd: home,
    env: { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin' },
    timeout: PROBE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
  });
  answer.child.stdin?.end();
  return answer;
}

function checkVersion(answer: string): void {
  const [, major, minor] = /^codex-cli (\d+)\.(\d+)\.\d+/.exec(answer.trim()) ?? [];
  if (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]) return;
  throw new CliTransportError(
    'CODEX_VERSION',
    `codex: version ${printable(answer.trim(), 60)} is not supported`,
    `Install a version of Codex from ${OLDEST.join('.')} upward, below ${OLDEST[0] + 1}.0.`,
  );
}

function checkCall(said: string): void {
  if (NO_PROMPT.test(said)) return;
  const why = said.split('\n').find((line) => /\S/.test(line)) ?? 'it says nothing';
  throw new CliTransportError(
    'CODEX_FLAGS',
    `codex: this version does not take the call: ${printable(why, 300)}`,
    `Install version ${OLDEST.join('.')}.0 of Codex, with which the call was measured.`,
  );
}

async function checkSocket(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isSocket()) return;
  throw new CliTransportError(
    'CODEX_API_SOCKET',
    `codex: there is no socket at ${printable(path)}`,
    'Start the API proxy before the run.',
  );
}
