import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BIN = join(import.meta.dirname, '../bundle/atelier.js');

/** How a host process ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with a clone in it, and everything a run of it leaves behind. */
export interface Scene {
  readonly folder: string;
  readonly repo: string;
  readonly stateDir: string;
  git(...args: string[]): string;
  /** Writes a plan of tasks, with further keys of the plan, and returns its path. */
  plan(tasks: readonly object[], keys?: object): string;
  /** Writes a `command` agent whose body is run with node, and returns the arguments that choose it. */
  agent(body: string): string[];
  atelier(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  start(args: readonly string[], env?: Record<string, string>): Running;
}

/** A host that runs. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when standard error has said this. */
  saying(text: string): Promise<void>;
}

/** What every scripted worker begins with: its identity, and `reply(envelope)`. */
const PRELUDE = `
import { renameSync, writeFileSync, appendFileSync, readFileSync, existsSync, mkdirSync } from 'node:fs';
const { ATELIER_TASK_ID: task, ATELIER_ATTEMPT: attempt, ATELIER_REPLY_FILE: file } = process.env;
const reply = (envelope) => {
  const whole = { type: 'task_result', task_id: task, attempt: Number(attempt), artifacts: [task + '.txt'], notes_md: '', ...envelope };
  writeFileSync(file + '.part', JSON.stringify(whole));
  renameSync(file + '.part', file);
};
const done = () => { writeFileSync(task + '.txt', 'by attempt ' + attempt + '\\n'); reply({ status: 'done' }); };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

export function scene(name = 'tea'): Scene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-host-')));
  const repo = join(folder, name);
  const stateDir = join(folder, 'state');
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', repo, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args],
      {
        encoding: 'utf8',
      },
    );
  // To start one program takes a process of a test longer than git needs for all three.
  const script = `git init --quiet --initial-branch=main "$1"; cd "$1"
    echo hello >README.md; git add .
    git -c user.name=t -c user.email=t@localhost commit --quiet -m begin`;
  execFileSync('sh', ['-ec', script, 'sh', repo]);

  const start: Scene['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: repo,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        XDG_STATE_HOME: stateDir,
        ...env,
      },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
    const saying = async (text: string) => {
      let over = false;
      void ended.then(() => {
        over = true;
      });
      while (!stderr.includes(text)) {
        if (over) throw new Error(`the host ended without saying "${text}":\n${stdout}\n${stderr}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    return { child, ended, saying };
  };

  return {
    folder,
    repo,
    stateDir,
    git,
    plan(tasks, keys = {}) {
      const path = join(folder, 'plan.json');
      const filled = tasks.map((task) => ({ title: 't', description: 'd', ...task }));
      writeFileSync(path, JSON.stringify({ goal: 'test', ...keys, tasks: filled }));
      return path;
    },
    agent(body) {
      mkdirSync(join(folder, 'agent'), { recursive: true });
      const script = join(folder, 'agent', 'agent.mjs');
      writeFileSync(script, PRELUDE + body);
      return ['--agent', `command:${process.execPath}`, '--agent-arg', script];
    },
    atelier: (args, env) => start(args, env).ended,
    start,
  };
}

/** Waits until a worker runs: a start is told before its process is there. */
export async function workerOf(at: Scene): Promise<void> {
  const isWorker = (line: string) => line.includes('agent.mjs') && !line.includes('atelier.js');
  while (!processesOf(at).some(isWorker)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Command lines of living processes that name this scene's folder: hosts, workers and whatever these started. What is kept
 * to work for a host ends with its input, which takes it a moment: where nothing else is left, it has five seconds.
 */
export function processesOf(at: Scene): string[] {
  for (let looks = 0; ; looks += 1) {
    const lines = linesOf(at);
    if (looks === 100 || lines.length === 0 || !lines.every(isKept)) return lines;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

/** Ends all of them; one may take others with it. */
export function killAll(at: Scene): void {
  for (const line of linesOf(at))
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {
      // It ended while we looked.
    }
}

/** A git that answers question after question, or the shell that starts the others. */
const isKept = (line: string): boolean =>
  / atelier-gits | cat-file --batch-command| --stdin(?:-paths)?\b/.test(line);

function linesOf({ folder }: Scene): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(folder) ? [`${pid} ${line}`] : [];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}
