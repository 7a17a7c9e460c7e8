import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { printable } from '@atelier/envelope';
import { type AttemptFolder, attemptFolder, makeFolders, unwritable } from '../attempt-folder.ts';
import { endAll, endLeftovers } from '../end-all.ts';
import { endedByTimer, readExit } from '../supervisor.ts';
import { writeCommand } from './command-record.ts';
import { COMMAND_FOLDER } from './end-commands.ts';
import {
  type CommandPlan,
  type Launched,
  launchCommand,
  type ShellSettings,
} from './launch-command.ts';
import { removeFolder } from './remove-folder.ts';
import type { ShellCall, ShellEnd } from './shell-call.ts';
import { type Cause, untilOver } from './until-over.ts';

/** How long what was printed may take to arrive once nothing of the command is left that is known. */
const DRAIN_MS = 1_000;

/** Runs a command to its end, in a folder of its own that goes with it. Never rejects. */
export async function runCommand(call: ShellCall, settings: ShellSettings): Promise<ShellEnd> {
  if (call.signal?.aborted) return { kind: 'stopped', output: '' };
  const fault = faultOf(call);
  if (fault !== undefined) return { kind: 'failed', detail: fault };
  let folder: AttemptFolder | undefined;
  try {
    folder = makeFolder(settings.runDir);
    const mark = randomUUID();
    record(folder, mark);
    return await runIn({ call, folder, mark }, settings);
  } catch (error) {
    return { kind: 'failed', detail: printable(error, LONGEST_DETAIL) };
  } finally {
    if (folder) await removeFolder(folder.path, settings.warn);
  }
}

const LONGEST_DETAIL = 1_000;

/** Takes nothing for granted: a plan was read from a file. */
function faultOf({ command, worktree, timeoutMs }: ShellCall): string | undefined {
  // A shell that is told nothing succeeds.
  if (command.trim() === '') return 'there is no command to run';
  if (!isAbsolute(worktree)) return `the worktree ${printable(worktree)} is not an absolute path`;
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0))
    return `the time for the command is ${String(timeoutMs)} ms, which is none`;
  return undefined;
}

function makeFolder(runDir: string): AttemptFolder {
  try {
    makeFolders(runDir);
    const folder = attemptFolder(mkdtempSync(join(runDir, COMMAND_FOLDER)));
    makeFolders(folder.home);
    return folder;
  } catch (error) {
    throw unwritable(runDir, error);
  }
}

function record(folder: AttemptFolder, mark: string): void {
  try {
    writeCommand(folder, mark);
  } catch (error) {
    throw unwritable(folder.path, error);
  }
}

async function runIn(plan: CommandPlan, settings: ShellSettings): Promise<ShellEnd> {
  const { clock, limits } = settings;
  const launched = await launchCommand(plan, settings);
  const { brood, output } = launched;
  try {
    const cause = await untilOver(plan.call, launched, clock);
    if (cause === 'exited') await endLeftovers(brood, clock);
    else await endAll(brood, limits.graceMs, clock);
    // A process that got away keeps the pipe; it does not keep us.
    await Promise.race([output.ended, clock.sleep(DRAIN_MS)]);
    return await endOf(cause, plan, launched);
  } finally {
    output.close();
  }
}

async function endOf(
  cause: Cause,
  { folder }: CommandPlan,
  { supervised, exited, output }: Launched,
): Promise<ShellEnd> {
  if (cause !== 'exited') return { kind: cause, output: output.text() };
  const { code, signal } = await exited;
  const record = supervised ? readExit(folder) : undefined;
  if (record && endedByTimer(record)) return { kind: 'timeout', output: output.text() };
  const exitCode = supervised ? record?.status : (code ?? undefined);
  if (exitCode !== undefined) return { kind: 'exited', exitCode, output: output.text() };
  return { kind: 'failed', detail: `someone else ended it by ${signal ?? 'a signal'}` };
}
