import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { WorkOrder } from '@atelier/engine';

const USER = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/** In front of a command: a pid namespace of its own, as a container has; the command is its first process. */
export const CONTAINER: readonly string[] = [
  ...['unshare', ...USER, '--pid', '--mount-proc', '--fork', '--kill-child'],
];

/** The same, but `/proc` stays that of the namespace outside. */
export const FOREIGN_PROC: readonly string[] = [
  ...['unshare', ...USER, '--pid', '--fork', '--kill-child'],
];

/** The command is not the first process, so that the others live on when it ends. */
export const lastingContainer = (mark: string): readonly string[] => [
  ...CONTAINER,
  ...['sh', '-c', `"$@" & wait; exec sleep ${mark}`, 'init'],
];

/** False where such namespaces may not be made. */
export const hasContainers = (): boolean => {
  const [file = '', ...args] = CONTAINER;
  return spawnSync(file, [...args, 'true']).status === 0;
};

/** The Node process that a command in front of it has started, by its number outside. */
export const nodeBelow = (mark: string): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .find((pid) => {
      const [program = '', ...args] = argumentsOf(pid);
      return program === process.execPath && args.some((one) => one.includes(mark));
    }) ?? 0;

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** A host in another namespace that has adopted one attempt, or not. */
export interface Adopter {
  /** What it has found. */
  readonly found: unknown;
  ask(what: 'stop' | 'report'): Promise<unknown>;
  end(): Promise<void>;
}

/** Runs the compiled package. */
export async function startAdopter(
  under: readonly string[],
  options: { readonly runDir: string; readonly order: WorkOrder },
): Promise<Adopter> {
  const script = join(import.meta.dirname, 'fixtures/adopter.mjs');
  const [file = '', ...args] = [...under, process.execPath, script, JSON.stringify(options)];
  const host: ChildProcess = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = host;
  if (!stdin || !stdout) throw new Error('the adopter has no pipes');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the adopter has ended');
    return JSON.parse(String(value));
  };
  return {
    found: await next(),
    ask(what) {
      stdin.write(`${what}\n`);
      return next();
    },
    async end() {
      const gone = once(host, 'exit');
      host.kill('SIGKILL');
      await gone;
    },
  };
}
