import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { GitPlace } from './git.ts';
import { type Dialogue, type KeptGit, NoAnswer, type Reading, startKept } from './kept-git.ts';
import { type Lasting, lastingOptions } from './lasting.ts';

export type Command = readonly [string, ...string[]];

/** Commands on one work tree through one private index, each once the one before has ended well. */
export interface ShellCall {
  readonly workTree: string;
  readonly index: string;
  readonly commands: readonly Command[];
  /** Standard input of each. */
  readonly input?: Uint8Array | undefined;
  readonly lasting?: Lasting | undefined;
  readonly timeoutMs: number;
  /** Bytes of everything that they print. */
  readonly longestOutput: number;
}

/** How they ended, as the end of a program is told. */
interface ShellEnd {
  /** Of the last that ran; absent where they were ended here. */
  readonly exitCode?: number;
  readonly cut?: 'time' | 'output';
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Starts gits in place of this process, which is large: a start from it costs ten times that of one from a shell. */
export interface GitShells {
  /** `undefined` where nobody can tell how they ended, or the call takes more than plain words and paths. */
  run(call: ShellCall): Promise<ShellEnd | undefined>;
  /** Lets those end that have nothing to do. */
  rest(): void;
}

/** More are kept only while they are busy. */
const MOST_IDLE = 8;
const IDLE_MS = 5_000;

export function gitShells(place: GitPlace): GitShells {
  const idle: KeptGit<Question, ShellEnd>[] = [];
  const next = () => {
    for (let one = idle.pop(); one; one = idle.pop()) if (one.isOpen()) return one;
    return startKept(place, COMMANDS, { idleMs: IDLE_MS, answerMs: 0 });
  };
  return {
    async run(call) {
      try {
        const question = await questionFor(call);
        if (!question) return undefined;
        const shell = next();
        const end = await shell.ask(question);
        if (idle.length < MOST_IDLE) idle.push(shell);
        else shell.end();
        return end.exitCode === NOT_FOUND || end.stderr.length > MOST_SAID ? undefined : end;
      } catch (error) {
        const cut = error instanceof NoAnswer && CUTS[error.why];
        return cut ? { cut, stdout: NOTHING, stderr: NOTHING } : undefined;
      }
    },
    rest() {
      for (const one of idle.splice(0)) one.end();
    },
  };
}

const CUTS = { time: 'time', size: 'output', end: undefined } as const;
const NOTHING = Buffer.alloc(0);

interface Question extends Omit<ShellCall, 'input' | 'commands'> {
  readonly input: string;
  readonly lines: readonly string[];
  /** Ends each part of the answer; nobody else knows it. */
  readonly mark: string;
}

/** One that no shell has to be told about, whatever its locale. */
const PLAIN_WORD = /^[\w=.,-]+$/;
const PLAIN_PATH = /^\/[\x20-\x7e]*$/;

async function questionFor({ input, commands, ...call }: ShellCall): Promise<Question | undefined> {
  const { workTree, index, lasting } = call;
  if (![workTree, index].every((path) => PLAIN_PATH.test(path))) return undefined;
  const all = commands.map((words) => [...lastingOptions(lasting), ...words]);
  if (!all.flat().every((word) => PLAIN_WORD.test(word))) return undefined;
  const file = `${index}.input`;
  if (input) await writeFile(file, input);
  return {
    ...call,
    input: input ? file : '/dev/null',
    lines: all.map((words) => words.join(' ')),
    mark: randomBytes(16).toString('hex'),
  };
}

/** What a shell gives for a program, or here a folder, that is not there. A start from here says what is wrong. */
const NOT_FOUND = 127;

/** What git says is wrong is held by the shell: one that gets more to hold ends, and git is started from here. Not git's. */
const MOST_MEMORY_KIB = 128 * 1024;

/** Of what is said to be wrong; bytes. A start from here ends who says more. */
const MOST_SAID = 1024 * 1024;

/**
 * Data are lines of its input, which it splits at most into words; none of it is read as shell. The dot proves that a
 * command was begun: where there is no pipe left for it, some shells go on as if it had ended well.
 */
const SCRIPT = `
set -f
_memory=$(ulimit -S -v 2>/dev/null) && ulimit -S -v ${MOST_MEMORY_KIB} 2>/dev/null
while IFS= read -r _tree && IFS= read -r GIT_INDEX_FILE && IFS= read -r _input && IFS= read -r _mark; do
  export GIT_INDEX_FILE
  _status=0 _said=
  while IFS= read -r _words && [ -n "$_words" ]; do
    [ "$_status" = 0 ] || continue
    _one=$({
      ulimit -S -v "$_memory" 2>/dev/null
      printf . >&2
      cd -- "$_tree" 2>/dev/null || exit ${NOT_FOUND}
      exec git "$@" --work-tree="$_tree" $_words <"$_input"
    } 2>&1 >&3 3>&-)
    _status=$?
    case $_one in .*) _one=\${_one#.} ;; *) _status=${NOT_FOUND} ;; esac
    _said="$_said\${_one:+$_one
}"
  done
  printf '%s%s\\n%s%s' "$_mark" "$_status" "$_said" "$_mark"
done 3>&1
`;

const COMMANDS: Dialogue<Question, ShellEnd> = {
  script: SCRIPT,
  textOf: ({ workTree, index, input, mark, lines }) =>
    [workTree, index, input, mark, ...lines, '', ''].join('\n'),
  answerMs: ({ timeoutMs }) => timeoutMs,
  longestAnswer: ({ longestOutput }) => longestOutput,
  mayEnd: (piece, { mark }) =>
    piece.length < mark.length || piece.subarray(-mark.length).toString('latin1') === mark,
  read: readEnd,
};

/** What the commands have printed, the mark, the exit code on a line, what they said is wrong, the mark. */
function readEnd(bytes: Buffer, { mark }: Question): Reading<ShellEnd> {
  const first = bytes.indexOf(mark);
  const from = first + mark.length;
  const last = first < 0 ? -1 : bytes.indexOf(mark, from);
  if (last < 0) return { kind: 'partial', wanted: bytes.length + 1 };
  const line = bytes.indexOf('\n', from);
  const answer = {
    exitCode: Number(bytes.toString('latin1', from, line)),
    stdout: bytes.subarray(0, first),
    stderr: bytes.subarray(line + 1, last),
  };
  return { kind: 'whole', answer, used: last + mark.length };
}
