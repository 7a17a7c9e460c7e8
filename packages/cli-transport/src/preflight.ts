import { mkdtempSync, rmdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeFolders, unwritable } from './attempt-folder.ts';
import { findSocat } from './bridge.ts';
import { isFakeRunner } from './fake-runner.ts';
import { assertAgentConfined } from './gate.ts';
import { type CliTransportOptions, settingsOf } from './options.ts';

/**
 * What can be known before anything is charged: the walls, the run's folder, and what the agent asks for.
 * Rejects with a coded error: `UNSANDBOXED_REAL_RUN`, `UNSANDBOXED_BYPASS`, `RUN_DIR_UNWRITABLE`, `SOCAT_NOT_FOUND` for
 * an agent that needs a bridge, or the agent's own.
 */
export async function preflight(options: CliTransportOptions): Promise<void> {
  const { agent, confinement, runDir } = settingsOf(options);
  assertAgentConfined(agent, confinement);
  if (!isFakeRunner(confinement)) {
    assertWritable(runDir);
    if (agent.needsBridge) findSocat();
  }
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
