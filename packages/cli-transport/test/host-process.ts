import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WorkOrder } from '@atelier/engine';
import type { ShellCall } from '../src/index.ts';
import { SANDBOXED } from './stage.ts';

interface HostOptions {
  readonly program: string;
  readonly runDir: string;
  readonly orders: readonly WorkOrder[];
  readonly limits?: object;
  readonly sandboxed?: boolean;
  /** The program that starts it, with arguments. */
  readonly under?: readonly string[];
}

interface ShellHostOptions {
  readonly runDir: string;
  readonly call: Omit<ShellCall, 'signal'>;
  readonly limits?: object;
  readonly sandboxed?: boolean;
}

/** A host in a process of its own that has started its attempts. Runs the compiled package. */
export const startHost = ({ under, ...options }: HostOptions): Promise<ChildProcess> =>
  start('host', options, under);

/** The same before it has started anything, or while it does. */
export const spawnHost = (options: HostOptions): ChildProcess => spawnScript('host', options);

/** The same with one command of a confined shell, which it is about to start. */
export const startShellHost = (options: ShellHostOptions): Promise<ChildProcess> =>
  start('shell-host', options);

/** One that asks for a login. */
export const spawnLoginHost = (options: object): ChildProcess => spawnScript('login-host', options);

function spawnScript(name: string, options: object, under: readonly string[] = []): ChildProcess {
  const script = join(import.meta.dirname, `fixtures/${name}.mjs`);
  // The walls were tried here. In a namespace of its own a host tries them itself.
  const attestation =
    SANDBOXED.kind === 'sandboxed' && under.length === 0 && SANDBOXED.wrap.attestation();
  const order = JSON.stringify(attestation ? { ...options, attestation } : options);
  const [file = '', ...args] = [...under, process.execPath, script, order];
  return spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function start(
  name: string,
  options: object,
  under?: readonly string[],
): Promise<ChildProcess> {
  const host = spawnScript(name, options, under);
  if (!host.stdout) throw new Error('the host has no standard output');
  const said = await Promise.race([once(host.stdout, 'data'), once(host, 'exit')]);
  if (!String(said[0]).startsWith('started')) throw new Error('the host did not start');
  return host;
}

/** As a power cut for that one process: nothing of it can run any more. */
export async function killHost(host: ChildProcess): Promise<void> {
  const gone = once(host, 'exit');
  host.kill('SIGKILL');
  await gone;
}
