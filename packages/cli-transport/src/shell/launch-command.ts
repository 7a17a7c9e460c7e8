import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Clock } from '@atelier/engine';
import { assertShortEnough } from '../argument-length.ts';
import type { AttemptFolder } from '../attempt-folder.ts';
import { type Bridge, bridged, bridgeFiles } from '../bridge.ts';
import type { Access, Command } from '../command-wrap.ts';
import type { AttestedHost, Sandboxed } from '../confinement.ts';
import { plainEnvironment } from '../environment.ts';
import { assertWalled, diesWithHost } from '../gate.ts';
import type { Limits } from '../options.ts';
import { ownDescriptors } from '../own-descriptors.ts';
import { identityOf, type ProcessIdentity } from '../process-table.ts';
import { spawned } from '../spawned.ts';
import { supervisorCommand } from '../supervisor.ts';
import { type OutputPipe, outputPipe } from './output-pipe.ts';
import type { ShellCall } from './shell-call.ts';

export interface ShellSettings {
  readonly confinement: Sandboxed | AttestedHost;
  readonly runDir: string;
  readonly read: readonly string[];
  readonly sockets: Access['sockets'];
  readonly bridges: readonly Bridge[];
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly warn: (message: string) => void;
  /** GNU timeout, where there is one. */
  readonly timer: () => string | undefined;
}

export interface CommandPlan {
  readonly call: ShellCall;
  readonly folder: AttemptFolder;
  /** In the environment of every process of this call where no walls clear it. */
  readonly mark: string;
}

/** A command that runs. */
export interface Launched {
  readonly brood: {
    readonly leader: ProcessIdentity;
    readonly nonce: string;
    readonly inside: ProcessIdentity[];
  };
  readonly output: OutputPipe;
  /** A supervisor leads it, and has written down how the command ended. */
  readonly supervised: boolean;
  /** Never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts a command in a process group of its own. Rejects with nothing left running. */
export async function launchCommand(plan: CommandPlan, settings: ShellSettings): Promise<Launched> {
  const { folder, mark } = plan;
  const { executed, cwd, env, supervised } = callOf(plan, settings);
  const [file = '', ...args] = executed;
  const output = await outputPipe(folder.path);
  try {
    const stdio = ownDescriptors(['ignore', output.writeEnd, output.writeEnd]);
    const child = spawn(file, args, {
      ...{ cwd, detached: true, stdio },
      env: { ...env, ATELIER_NONCE: mark },
    });
    const exited = exitOf(child);
    await spawned(child);
    const leader = identityOf(child.pid ?? 0);
    return { brood: { leader, nonce: mark, inside: [] }, output, supervised, exited };
  } catch (error) {
    output.close();
    throw error;
  } finally {
    closeSync(output.writeEnd);
  }
}

const exitOf = (child: ChildProcess): Launched['exited'] =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));

function callOf(
  { call, folder }: CommandPlan,
  { confinement, read, sockets, bridges, env, limits, timer }: ShellSettings,
) {
  const { worktree, readOnly = false, frozen = [] } = call;
  const { home } = folder;
  const command: Command = {
    file: SHELL,
    // The command may begin with a dash.
    args: ['-c', '--', call.command],
    cwd: worktree,
    env: { ...plainEnvironment(), CI: '1', ...env, HOME: home },
  };
  assertShortEnough(command);
  const readable = [...read, ...bridgeFiles(bridges)];
  const access = { worktree, readOnly, frozen, home, read: readable, write: [], sockets };
  const confined =
    confinement.kind === 'sandboxed' ? confinement.wrap.wrap(command, access) : command;
  const supervised = !diesWithHost(confinement);
  const supervisor = supervised
    ? supervisorCommand({
        folder,
        timeout: timer(),
        backstopMs: call.timeoutMs + limits.orphanGraceMs,
        graceMs: limits.graceMs,
        mayEscape: confinement.kind !== 'sandboxed',
      })
    : [];
  const executed = [...supervisor, confined.file, ...confined.args];
  assertWalled(confinement, { supervisor, executed, command });
  return {
    executed: bridged(executed, command, bridges),
    ...{ cwd: confined.cwd, env: confined.env, supervised },
  };
}

const SHELL = '/bin/sh';
