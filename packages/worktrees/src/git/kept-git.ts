import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { GitPlace } from './git.ts';
import { GIT_OPTIONS, gitEnvironment } from './git-surroundings.ts';
import { type Lasting, lastingOptions } from './lasting.ts';
import { ownDescriptors } from './own-descriptors.ts';

/** Git keeps what it has parsed: one that has answered so much is followed by another. */
const MOST_ANSWERS = 20_000;
/** Of all that is asked in one go; bytes. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/** No answer comes to a question. */
export class NoAnswer extends Error {
  readonly why: 'time' | 'size' | 'end';

  constructor(why: NoAnswer['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/** What git has answered: all of it, or how many bytes there have to be before another look is worth it. */
export type Reading<A> =
  | {
      readonly kind: 'whole';
      readonly answer: A;
      /** How many of the bytes it takes. */
      readonly used: number;
    }
  | { readonly kind: 'partial'; readonly wanted: number };

/** How a command of git is spoken with that answers question after question. */
export interface Dialogue<Q, A> {
  readonly command?: readonly [string, ...string[]];
  /** Of a shell that starts git, with the options for it as its arguments, where that is kept in place of a git. */
  readonly script?: string;
  /** What it writes is on the disk before it answers; left to the system when absent. */
  readonly lasting?: Lasting;
  /** How many questions it is; one when absent. */
  count?(question: Q): number;
  textOf(question: Q): string;
  /** What takes longer is the end of it: milliseconds. As whoever keeps it wants, when absent. */
  answerMs?(question: Q): number;
  /** What is longer is the end of it: bytes. 8 MiB when absent. */
  longestAnswer?(question: Q): number;
  /** False where an answer surely goes on behind this piece of it. */
  mayEnd?(piece: Buffer, question: Q): boolean;
  /** Reads the answer that the bytes begin with. What it throws is the end of that git. */
  read(bytes: Buffer, question: Q): Reading<A>;
}

/** One git that answers question after question. */
export interface KeptGit<Q, A> {
  /** False once it will take no more questions. */
  isOpen(): boolean;
  /** Rejects, and so does every question that waits, when it died, took too long or said too much. */
  ask(question: Q): Promise<A>;
  /** Lets it end by the end of its input; what was asked is answered. */
  end(): void;
}

export interface KeepLimits {
  /** After so long without a question it is ended. */
  readonly idleMs: number;
  /** An answer that takes longer is the end of it. */
  readonly answerMs: number;
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts a git to keep. It keeps this process alive only while a question waits, ends after `idleMs` without one, and
 * does not survive this process: the end of its input is its own. Throws where it can not be started.
 */
export function startKept<Q, A>(
  { gitDir, workTree, cwd = gitDir, env }: GitPlace,
  dialogue: Dialogue<Q, A>,
  limits: KeepLimits,
): KeptGit<Q, A> {
  const { command = [], script, lasting, count = () => 1, textOf, read } = dialogue;
  const place = [`--git-dir=${gitDir}`, `--work-tree=${workTree}`];
  const options = [...GIT_OPTIONS, ...lastingOptions(lasting), ...place];
  const [file, args]: [string, string[]] =
    script === undefined
      ? ['git', [...options, ...command]]
      : ['/bin/sh', ['-c', script, 'atelier-gits', ...options]];
  const running = spawn(file, args, {
    cwd,
    env: { ...gitEnvironment(), ...env },
    detached: true,
    stdio: ownDescriptors(['pipe', 'pipe', 'ignore']),
  });
  const waiting: Waiting<Q, A>[] = [];
  const held: Buffer[] = [];
  let size = 0;
  let wanted = 1;
  let answered = 0;
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;

  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    running.stdin?.end();
  };
  const fail = (message: string, why: NoAnswer['why'] = 'end') => {
    end();
    clearTimeout(timer);
    killGroup(running);
    running.stdout?.destroy();
    for (const { reject } of waiting.splice(0)) reject(new NoAnswer(why, message));
  };
  const wait = () => {
    clearTimeout(timer);
    const [first] = waiting;
    holds(running, first !== undefined);
    if (!first) timer = isOpen ? setTimeout(end, limits.idleMs).unref() : undefined;
    else {
      const ms = dialogue.answerMs?.(first.question) ?? limits.answerMs;
      timer = setTimeout(fail, ms, 'it took too long', 'time');
    }
  };
  const take = (piece: Buffer) => {
    held.push(piece);
    size += piece.length;
    const [first] = waiting;
    if (!first) return fail('it said what nobody asked for');
    const longest = dialogue.longestAnswer?.(first.question) ?? LONGEST_ANSWER;
    if (size > longest) return fail('it said too much', 'size');
    if (size < wanted || dialogue.mayEnd?.(piece, first.question) === false) return;
    const bytes = Buffer.concat(held.splice(0));
    const found = readOrWhy(() => read(bytes, first.question));
    if (found instanceof Error) return fail(found.message);
    if (found.kind === 'partial') {
      ({ wanted } = found);
      held.push(bytes);
      if (wanted > longest) fail('it says too much', 'size');
      return;
    }
    waiting.shift();
    first.resolve(found.answer);
    answered += count(first.question);
    if (answered > MOST_ANSWERS) end();
    [size, wanted] = [0, 1];
    wait();
    const rest = bytes.subarray(found.used);
    if (rest.length > 0) take(rest);
  };
  running.on('error', (error) => fail(error.message));
  running.stdin?.on('error', () => fail('it does not read'));
  running.stdout?.on('data', take);
  running.stdout?.on('close', () => fail('it has ended'));
  running.unref();
  wait();
  return {
    isOpen: () => isOpen,
    end,
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(new NoAnswer('end', 'it has ended'));
        waiting.push({ question, resolve, reject });
        running.stdin?.write(textOf(question));
        // Later questions wait no longer than the first does.
        if (waiting.length === 1) wait();
      }),
  };
}

function readOrWhy<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error : new Error('it said what nobody asked for');
  }
}

/** With what a shell has started. The number of one that has ended may be another's. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Whether the pipes of the process keep this one alive. */
function holds({ stdin, stdout }: ChildProcess, isAsked: boolean): void {
  for (const pipe of [stdin, stdout]) {
    if (!(pipe instanceof Socket)) continue;
    if (isAsked) pipe.ref();
    else pipe.unref();
  }
}
