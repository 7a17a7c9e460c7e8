import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FETCH = join(import.meta.dirname, '../../../../tooling/setup/fetch-agents.mjs');

/** The path of the pinned real program, fetched now if it was not before. Rejects with the reason if it can not be. */
export async function codexBinary(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [FETCH, 'codex']);
  return stdout.trim();
}

/** The first fetch is a download of 160 MB. */
export const FETCH_MS = 15 * 60_000;
