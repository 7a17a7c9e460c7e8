import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { WorkOrder } from '@atelier/engine';
import type { JsonValue } from '@atelier/envelope';
import type { AgentCall } from './agent.ts';
import { assertShortEnough } from './argument-length.ts';
import { type AttemptFolder, makeAttemptFolder, unwritable } from './attempt-folder.ts';
import { metaOf, writeMeta } from './attempt-meta.ts';
import { bridged, bridgeFiles } from './bridge.ts';
import { writeCallFile } from './call-file.ts';
import type { Access, Command } from './command-wrap.ts';
import { describeWorker } from './describe-worker.ts';
import { environmentOf } from './environment.ts';
import { findProgram } from './find-program.ts';
import { assertWalled } from './gate.ts';
import type { Settings } from './options.ts';
import { ownDescriptors } from './own-descriptors.ts';
import { identityOf, type ProcessIdentity } from './process-table.ts';
import { spawned } from './spawned.ts';
import { givePermit } from './start-permit.ts';
import { supervisorCommand } from './supervisor.ts';
import { makeLocks } from './worker-lock.ts';

/** A worker as it starts, before anyone watches it. */
export interface Launched {
  readonly leader: ProcessIdentity | undefined;
  /** When its own timer ends it, in monotonic milliseconds of this boot. */
  readonly endAtMs: number;
  /** Resolves when the supervisor has ended; never rejects. */
  readonly exited: Promise<void>;
  readonly description: JsonValue;
}

interface LaunchPlan {
  readonly order: WorkOrder;
  readonly folder: AttemptFolder;
  readonly worktree: string;
}

/**
 * Starts the agent's program under a supervisor that outlives this process, with files for its standard
 * input and output. Resolves once the supervisor runs; rejects with a coded error, nothing left running.
 */
export async function launch(plan: LaunchPlan, settings: Settings): Promise<Launched> {
  const { order, folder, worktree } = plan;
  const { agent, confinement, limits } = settings;
  const place = { worktree, home: folder.home, replyFile: folder.replyFile };
  const call = agent.call(order, place);
  const command: Command = {
    file: findProgram(call.program),
    args: call.args,
    cwd: worktree,
    env: environmentOf(order, place, call),
  };
  assertShortEnough(command);
  makeAttemptFolder(folder);
  const meta = metaOf(order, settings);
  try {
    writeFileSync(folder.stdin, call.stdin, { mode: 0o600 });
    for (const file of call.files ?? []) writeCallFile(file, place);
    writeMeta(folder, meta);
    makeLocks(folder);
    givePermit(folder);
  } catch (error) {
    throw unwritable(folder.path, error);
  }
  const confined =
    confinement.kind === 'sandboxed'
      ? confinement.wrap.wrap(command, accessOf(call, plan))
      : command;
  const supervisor = supervisorCommand({
    folder,
    timeout: settings.timeout(),
    backstopMs: order.wallClockMs + limits.orphanGraceMs,
    graceMs: limits.graceMs,
    mayEscape: confinement.kind !== 'sandboxed',
    adoptable: { flock: settings.flock() },
  });
  const executed = [...supervisor, confined.file, ...confined.args];
  assertWalled(confinement, { supervisor, executed, command });
  const child = spawnDetached(bridged(executed, command, call.bridges ?? []), folder, {
    cwd: confined.cwd,
    // Walls may hand over the environment in another way; by this one entry every process is found again.
    env: { ...confined.env, ATELIER_NONCE: order.nonce },
  });
  const leader = child.pid === undefined ? undefined : identityOf(child.pid);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await spawned(child);
  return {
    ...{ leader, endAtMs: meta.backstopMs, exited },
    description: describeWorker(meta, leader),
  };
}

const accessOf = (call: AgentCall, { order, folder, worktree }: LaunchPlan): Access => ({
  worktree,
  readOnly: order.readOnly ?? false,
  frozen: order.frozen ?? [],
  home: folder.home,
  read: [...(call.read ?? []), ...bridgeFiles(call.bridges ?? [])],
  write: [folder.replyFolder],
  sockets: call.sockets ?? [],
});

function spawnDetached(
  [file = '', ...args]: readonly string[],
  { stdin, stdout, stderr, path }: AttemptFolder,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): ChildProcess {
  const files: number[] = [];
  try {
    try {
      files.push(
        openSync(stdin, 'r'),
        openSync(stdout, 'ax', 0o600),
        openSync(stderr, 'ax', 0o600),
      );
    } catch (error) {
      throw unwritable(path, error);
    }
    return spawn(file, args, { cwd, env, detached: true, stdio: ownDescriptors(files) });
  } finally {
    for (const one of files) closeSync(one);
  }
}
