import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { GitPlace } from './git.ts';
import { GIT_OPTIONS, gitEnvironment } from './git-surroundings.ts';
import { answersIn, type Depth, questionFor, type StoredObject } from './object-answers.ts';
import { ownDescriptors } from './own-descriptors.ts';

/** Git keeps what it has parsed: one that has answered so much is followed by another. */
const MOST_ANSWERS = 20_000;
/** Of all that is asked in one go. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/** One git that answers question after question. */
export interface CatFileServer {
  /** False once it will take no more questions. */
  isOpen(): boolean;
  /** Rejects, and so does every question that waits, when it died, took too long or said too much. */
  ask(depth: Depth, names: readonly string[]): Promise<readonly (StoredObject | undefined)[]>;
  /** Lets it end by the end of its input; what was asked is answered. */
  end(): void;
}

interface CatFileLimits {
  /** After so long without a question it is ended. */
  readonly idleMs: number;
  /** An answer that takes longer is the end of it. */
  readonly answerMs: number;
}

interface Question {
  readonly depth: Depth;
  readonly count: number;
  readonly resolve: (answers: readonly (StoredObject | undefined)[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts `git cat-file --batch-command`. It keeps this process alive only while a question waits, ends after `idleMs`
 * without one, and does not survive this process: the end of its input is its own. Throws where it can not be started.
 */
export function startCatFile(
  { gitDir, workTree, cwd = gitDir, env }: GitPlace,
  { idleMs, answerMs }: CatFileLimits,
): CatFileServer {
  const place = [`--git-dir=${gitDir}`, `--work-tree=${workTree}`];
  const running = spawn('git', [...GIT_OPTIONS, ...place, 'cat-file', '--batch-command'], {
    cwd,
    env: { ...gitEnvironment(), ...env },
    detached: true,
    stdio: ownDescriptors(['pipe', 'pipe', 'ignore']),
  });
  const questions: Question[] = [];
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
  const fail = (why: string) => {
    end();
    clearTimeout(timer);
    running.kill('SIGKILL');
    running.stdout?.destroy();
    for (const { reject } of questions.splice(0)) reject(new Error(why));
  };
  const wait = () => {
    clearTimeout(timer);
    const isAsked = questions.length > 0;
    holds(running, isAsked);
    if (isAsked) timer = setTimeout(fail, answerMs, 'it took too long');
    else if (isOpen) timer = setTimeout(end, idleMs).unref();
  };
  const take = (piece: Buffer) => {
    held.push(piece);
    size += piece.length;
    const [question] = questions;
    if (!question || size > LONGEST_ANSWER) return fail('it said too much');
    if (size < wanted) return;
    const bytes = Buffer.concat(held.splice(0));
    const found = answersIn(bytes, question.depth, question.count);
    if (found.kind === 'partial') {
      ({ wanted } = found);
      held.push(bytes);
      if (wanted > LONGEST_ANSWER) fail('it says too much');
      return;
    }
    questions.shift();
    question.resolve(found.answers);
    answered += question.count;
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
    ask: (depth, names) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(new Error('it has ended'));
        questions.push({ depth, count: names.length, resolve, reject });
        running.stdin?.write(questionFor(depth, names));
        // Later questions wait no longer than the first does.
        if (questions.length === 1) wait();
      }),
  };
}

/** Whether the pipes of the process keep this one alive. */
function holds({ stdin, stdout }: ChildProcess, isAsked: boolean): void {
  for (const pipe of [stdin, stdout]) {
    if (!(pipe instanceof Socket)) continue;
    if (isAsked) pipe.ref();
    else pipe.unref();
  }
}
