import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../command.ts';

const TRIES = 200;
const PAUSE_MS = 15;

/** Whether every process of the host that carries the marker in its arguments is gone, after a while at the latest. */
export async function allGone(marker: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (carriers(marker).length === 0) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

/** Ends what should have ended by itself. */
export function endAll(marker: string): void {
  for (const pid of carriers(marker)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

function carriers(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => argumentsOf(pid).includes(marker))
    .map(Number);
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Spawns an endless command below a supervisor of its own, kills the supervisor once the command runs, and tells whether
 * it ran and whether everything is gone then.
 */
export async function outlivesSupervisor(
  { file, args, cwd, env }: Command,
  marker: string,
): Promise<{ readonly ran: boolean; readonly gone: boolean }> {
  // The colon keeps the shell from becoming the command.
  const supervisor = spawn('/bin/sh', ['-c', '"$@"; :', 'sh', file, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ran = await new Promise<boolean>((resolve) => {
    supervisor.stdout.once('data', () => resolve(true));
    supervisor.on('error', () => resolve(false));
    supervisor.on('exit', () => resolve(false));
    setTimeout(() => resolve(false), TRIES * PAUSE_MS).unref();
  });
  supervisor.kill('SIGKILL');
  supervisor.stdout.destroy();
  return { ran, gone: await allGone(marker) };
}
