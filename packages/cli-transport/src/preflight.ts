import { mkdtempSync, rmdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeFolders, unwritable } from './attempt-folder.ts';
import { isFakeRunner } from './fake-runner.ts';
import { assertConfined } from './gate.ts';
import { type CliTransportOptions, settingsOf } from './options.ts';

/**
 * What can be known before anything is charged: the walls, the run's folder, and what the agent asks for.
 * Rejects with a coded error: `UNSANDBOXED_REAL_RUN`, `RUN_DIR_UNWRITABLE`, or the agent's own.
 */
export async function preflight(options: CliTransportOptions): Promise<void> {
  const { agent, confinement, runDir } = settingsOf(options);
  assertConfined(confinement);
  if (!isFakeRunner(confinement)) assertWritable(runDir);
  await agent.preflight?.();
}

function assertWritable(runDir: string): void {
  try {
    if (!isAbsolute(runDir)) throw new Error('it is not an absolute path');
    makeFolders(runDir);
    rmdirSync(mkdtempSync(join(runDir, '.writable-')));
  } catch (error) {
    throw unwritable(runDir, error);
  }
}
