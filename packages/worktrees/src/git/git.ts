import { existsSync } from 'node:fs';
import { WorktreeError } from '../error.ts';
import { gitFailure } from './git-failure.ts';
import type { Command, GitShells } from './git-shell.ts';
import { GIT_OPTIONS, gitEnvironment } from './git-surroundings.ts';
import { type Lasting, lastingOptions } from './lasting.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

/** Two minutes: hashing a few very large files is legal, a git that hangs is not. */
const TIMEOUT_MS = 120_000;
const KILL_AFTER_MS = 2_000;
const LONGEST_OUTPUT = 256 * 1024 * 1024;
const LONGEST_STDERR = 8 * 1024 * 1024;

/** Where git works. There is no form without a git dir: it would look for one in a tree that workers write. */
export interface GitPlace {
  readonly gitDir: string;
  readonly workTree: string;
  /** Paths are relative to it where it is inside the work tree; the git dir when absent. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A work tree that git works on through a private index, from within. */
interface Desk {
  readonly gitDir: string;
  readonly workTree: string;
  readonly index: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface GitCall {
  readonly input?: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are an answer; only 0 when absent. */
  readonly answers?: readonly number[];
  readonly timeoutMs?: number;
  /** What it writes is on the disk before it ends; left to the system when absent. */
  readonly lasting?: Lasting;
  /** Is given standard output piece by piece, without a limit; the answer has none of it then. */
  readonly onOutput?: (piece: Buffer) => void;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** Standard output as text without surrounding white space. */
  readonly text: string;
  readonly stderr: string;
}

/**
 * One git command. Rejects with a coded `WorktreeError`: `GIT_MISSING`, `GIT_TIMEOUT`, `GIT_OUTPUT_LIMIT`,
 * `GIT_LOCKED`, `GIT_FAILED`.
 */
export type Git = (args: readonly [string, ...string[]], call?: GitCall) => Promise<GitAnswer>;

/** Git on one git dir and one work tree, both explicit. */
export const gitAt =
  ({ gitDir, workTree, cwd = gitDir, env }: GitPlace): Git =>
  (args, call = {}) =>
    callGit(args, [`--git-dir=${gitDir}`, `--work-tree=${workTree}`], {
      ...call,
      cwd,
      env: { ...env, ...call.env },
    });

/**
 * Commands of plain words, each once the one before has ended well, by one process more instead of one each from here:
 * to start one costs more, the more memory this process has. What they print is one text.
 */
export type GitInTurn = (
  commands: readonly Command[],
  call?: Omit<GitCall, 'answers' | 'env' | 'onOutput'>,
) => Promise<GitAnswer>;

/** Started by those shells wherever they can; without any, from here. */
export function gitOnDesk(desk: Desk, shells?: GitShells): { one: Git; inTurn: GitInTurn } {
  const { gitDir, workTree, index } = desk;
  const env = { ...desk.env, GIT_INDEX_FILE: index };
  const from = { gitDir, workTree, cwd: workTree, env };
  const kept = (commands: readonly Command[], call: GitCall) =>
    call.env === undefined && call.onOutput === undefined
      ? shells?.run({
          ...{ workTree, index, commands },
          ...{ input: call.input, lasting: call.lasting },
          ...{ timeoutMs: call.timeoutMs ?? TIMEOUT_MS, longestOutput: LONGEST_OUTPUT },
        })
      : undefined;
  return {
    one: async (args, call = {}) => {
      const done = await kept([args], call);
      return done ? answerOf(args[0], done, { ...call, cwd: workTree }) : gitAt(from)(args, call);
    },
    inTurn: async (commands, call = {}) => {
      const done = await kept(commands, call);
      if (done) return answerOf('commands', done, { ...call, cwd: workTree });
      // The words are of this code, and no shell has to be told what is in the rest.
      if (!commands.flat().every((word) => /^[\w=-]+$/.test(word)))
        throw new Error('no plain word');
      const script = commands.map((words) => `git "$@" ${words.join(' ')}`).join(' && ');
      const options = optionsFor([`--git-dir=${gitDir}`, `--work-tree=${workTree}`], call.lasting);
      const program = { file: SHELL, args: ['-c', script, 'sh', ...options], name: 'commands' };
      return ended(program, { ...call, cwd: workTree, env });
    },
  };
}

const SHELL = '/bin/sh';

/**
 * Git that looks for its repository from `dir` upwards. Only for a folder that a person named, and only to
 * read paths, which runs nothing; hence any owner is fine.
 */
export const discoveringGit =
  (dir: string): Git =>
  (args, call = {}) =>
    callGit(args, ['-c', 'safe.directory=*'], { ...call, cwd: dir });

const optionsFor = (place: readonly string[], lasting: Lasting | undefined): readonly string[] => [
  ...GIT_OPTIONS,
  ...lastingOptions(lasting),
  ...place,
];

const callGit = (
  args: readonly [string, ...string[]],
  place: readonly string[],
  call: GitCall & { cwd: string },
): Promise<GitAnswer> =>
  ended({ file: 'git', args: [...optionsFor(place, call.lasting), ...args], name: args[0] }, call);

interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** What messages call it. */
  readonly name: string;
}

async function ended(
  { file, args, name: command }: Program,
  call: GitCall & { cwd: string },
): Promise<GitAnswer> {
  const { input, timeoutMs = TIMEOUT_MS, cwd, onOutput } = call;
  const done = await runProgram(file, args, {
    cwd,
    env: { ...gitEnvironment(), ...call.env },
    input,
    timeoutMs,
    killAfterMs: KILL_AFTER_MS,
    limits: { stdout: LONGEST_OUTPUT, stderr: LONGEST_STDERR },
    onOutput,
  });
  return answerOf(command, done, call);
}

function answerOf(
  command: string,
  done: ProgramEnd,
  { answers = [0], timeoutMs = TIMEOUT_MS, cwd }: GitCall & { cwd: string },
): GitAnswer {
  const { exitCode, stdout } = done;
  const stderr = done.stderr.toString('utf8');
  if (done.cut === 'time')
    throw new WorktreeError(
      'GIT_TIMEOUT',
      `git ${command} was ended after ${timeoutMs / 1000} s`,
      'Look for a full or hanging disk; nothing was changed that the next run can not go on from.',
    );
  if (done.cut === 'output')
    throw new WorktreeError(
      'GIT_OUTPUT_LIMIT',
      `git ${command} printed more than its limit`,
      'The repository or the worker’s folder holds more files than can be listed in memory.',
    );
  if (exitCode === undefined) throw notRun(command, cwd, done.why, done.cause);
  if (!answers.includes(exitCode)) throw gitFailure(command, exitCode, stderr);
  return { exitCode, stdout, text: stdout.toString('utf8').trim(), stderr };
}

function notRun(
  command: string,
  cwd: string,
  why: string | undefined,
  cause: unknown,
): WorktreeError {
  if (why === 'ENOENT' && existsSync(cwd))
    return new WorktreeError(
      'GIT_MISSING',
      'git was not found',
      'Install git 2.38 or later and put it on the PATH.',
      cause,
    );
  return new WorktreeError(
    'GIT_FAILED',
    `git ${command} did not run to its end (${why ?? 'no reason given'})`,
    'Check that the repository is still in its place, and how much memory and disk are left.',
    cause,
  );
}
