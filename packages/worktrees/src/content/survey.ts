import { lstatSync, type Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { codeOf, WorktreeError } from '../error.ts';
import { shown } from '../shown.ts';
import { allow } from './open-up.ts';
import { type Sighting, trace } from './trace.ts';
import { unlinkIn } from './unlink-in.ts';

/** What a worktree may hold, the repository’s own and ignored files included, before saving it is refused. */
interface SurveyLimits {
  /** Files, folders, links and the rest. */
  readonly entries: number;
  /** Apparent size of all files. */
  readonly bytes: number;
  /** Apparent size from which a file must not be sparse. */
  readonly sparseBytes: number;
  readonly nested: number;
}

interface SurveyOptions {
  readonly limits?: SurveyLimits;
  /** Absolute paths that are not looked at, nor what is below them. */
  readonly frozen?: readonly string[];
}

const GIB = 2 ** 30;

const LIMITS: SurveyLimits = Object.freeze({
  entries: 500_000,
  bytes: 16 * GIB,
  sparseBytes: 2 * GIB,
  nested: 50,
});

const BLOCK = 512;
/** How many entries are listed, and looked at, before anything else has its turn. */
const BATCH = 256;

/**
 * Walks a worktree before git does, following no link, so that nothing in it can hold git up. Removes FIFOs,
 * sockets and devices: they hold no content, and git opens a FIFO of the right name and waits. Throws
 * `SALVAGE_TOO_LARGE`, without having looked at the rest. Passes over paths that are too long for the system. Resolves to
 * what it saw, `undefined` where that was not all.
 */
export async function survey(
  path: string,
  { limits = LIMITS, frozen = [] }: SurveyOptions = {},
): Promise<Sighting | undefined> {
  const root = Buffer.from(path).toString('latin1');
  const passedOver = new Set(frozen.map((one) => Buffer.from(one).toString('latin1')));
  const folders = [root];
  const refuse = (what: string): never => {
    throw tooLarge(path, what);
  };
  let entries = 0;
  let bytes = 0;
  let nested = 0;
  const seen = trace();

  const weigh = ({ size, blocks }: Stats) => {
    if (size > limits.sparseBytes && blocks * BLOCK < size / 2)
      refuse(`a sparse file of ${inGib(size)}`);
    bytes += size;
    if (bytes > limits.bytes) refuse(`more than ${inGib(limits.bytes)}`);
  };
  const look = async (folder: string, name: string) => {
    const path = `${folder}/${name}`;
    const bytes = bytesOf(path);
    // A look costs less than a promise of it: most entries take this line and no other.
    const found = lookAt(bytes) ?? (await passable(folder, async () => lstatSync(bytes)));
    if (!found || found.isDirectory()) return seen.addUnseen();
    if (found.isFile()) weigh(found);
    else if (!found.isSymbolicLink())
      return void (await passable(folder, () => unlinkIn(bytesOf(folder), bytesOf(name))));
    seen.addFile(path, found);
  };

  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const here = folder;
    const listing = await passable(here, () =>
      opendir(bytesOf(here), { encoding: 'latin1', bufferSize: BATCH }),
    );
    if (!listing) {
      seen.addUnseen();
      continue;
    }
    seen.addFolder(here, lookAt(bytesOf(here)));
    let batch: string[] = [];
    const lookAtBatch = async () => {
      for (const name of batch) await look(here, name);
    };
    for await (const entry of listing) {
      entries += 1;
      if (entries > limits.entries) refuse(`more than ${limits.entries} entries`);
      if (passedOver.has(`${here}/${entry.name}`)) continue;
      if (here !== root && entry.name === '.git') nested += 1;
      if (nested > limits.nested) refuse(`more than ${limits.nested} repositories`);
      if (entry.isDirectory()) folders.push(`${here}/${entry.name}`);
      else batch.push(entry.name);
      if (batch.length < BATCH) continue;
      await lookAtBatch();
      batch = [];
    }
    await lookAtBatch();
  }
  return seen.end();
}

/** Names are bytes; as Latin-1 text each byte is a character, and long paths share their beginnings. */
const bytesOf = (name: string): Buffer => Buffer.from(name, 'latin1');

function lookAt(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const FORBIDDEN: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM']);

/** Does it, with the right to the folder given back if need be; `undefined` where there is no way. */
async function passable<T>(folder: string, step: () => Promise<T>): Promise<T | undefined> {
  const unless = (codes: ReadonlySet<unknown>) => (error: unknown) => {
    if (codes.has(codeOf(error))) return undefined;
    throw error;
  };
  try {
    return await step();
  } catch (error) {
    if (GONE.has(codeOf(error))) return undefined;
    if (!FORBIDDEN.has(codeOf(error))) throw error;
  }
  const noWay = unless(new Set([...GONE, ...FORBIDDEN, 'EROFS']));
  await allow(bytesOf(folder), 0o700).catch(noWay);
  return step().catch(noWay);
}

const inGib = (size: number): string => `${Math.round(size / GIB)} GiB`;

const tooLarge = (path: string, what: string): WorktreeError =>
  new WorktreeError(
    'SALVAGE_TOO_LARGE',
    `${shown(path)} holds ${what}`,
    'The worktree was kept at that path; take out what is not work and salvage again.',
  );
