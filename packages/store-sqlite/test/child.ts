import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

export interface Child {
  /** Resolves once the child has loaded and waits for {@link Child.go}. */
  readonly ready: Promise<void>;
  go(): void;
  readonly ended: Promise<Ended>;
}

/** A fixture in a process of its own. */
export function startChild(fixture: string, ...args: readonly string[]): Child {
  const file = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: 'pipe' });
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, output, errors }));
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      resolve();
    });
    void ended.then(() => resolve());
  });
  return { ready, go: () => void child.stdin.end('go'), ended };
}

/** A process that answers one line with one. */
export interface Answering {
  ask(line: string): Promise<string>;
  end(): Promise<Pick<Ended, 'code' | 'errors'>>;
}

/** A fixture in a process of its own that is asked many times: loading it anew for each would take most of the time. */
export function startAnswering(fixture: string): Answering {
  const file = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([code]: number[]) => ({ code: code ?? null, errors }));
  return {
    async ask(line) {
      const answer = once(child.stdout, 'data').then(String);
      child.stdin.write(`${line}\n`);
      const early = ended.then((end) => Promise.reject(new Error(`it has ended: ${end.errors}`)));
      return Promise.race([answer, early]);
    },
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

/** Starts all at the same moment, and waits for them to end. */
export async function race(children: readonly Child[]): Promise<Ended[]> {
  await Promise.all(children.map(({ ready }) => ready));
  for (const child of children) child.go();
  return Promise.all(children.map(({ ended }) => ended));
}
