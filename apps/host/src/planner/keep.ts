import { lstatSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plan } from '@atelier/engine/plan';
import { HostError } from '../host-error.ts';

/** Where editors find the format of a plan. */
const SCHEMA = './node_modules/@atelier/engine/plan.schema.json';

interface Place {
  readonly path: string;
  /** Whether a file that is there may be replaced. */
  readonly force: boolean;
}

/** Throws `PLAN_EXISTS`, or `NO_SUCH_FOLDER` for a place that nothing can be written to. */
export function assertFree({ path, force }: Place): void {
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    throw new HostError(
      'NO_SUCH_FOLDER',
      `there is no folder ${dirname(path)} to write the plan to`,
      'Make it, or name another file with -o.',
    );
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined || (force && there.isFile())) return;
  throw new HostError(
    'PLAN_EXISTS',
    `${path} is there already`,
    there.isFile()
      ? 'Name another file with -o, or add --force to replace it.'
      : 'It is no plain file: name another one with -o.',
  );
}

/**
 * Writes a plan for people to read, and gives its path. What has come to the place in the meantime stays, and the plan
 * goes beside it: it was paid for.
 */
export function keepPlan(plan: Plan, { path, force }: Place): string {
  const { $schema: _, ...rest } = plan;
  const text = `${JSON.stringify({ $schema: SCHEMA, ...rest }, null, 2)}\n`;
  try {
    if (force) replace(path, text);
    else writeFileSync(path, text, { flag: 'wx', flush: true });
    return path;
  } catch (error) {
    const beside = writeBeside(text, `${path}.new`);
    if (beside !== undefined) return beside;
    throw error;
  }
}

/** Keeps a refused proposal beside the place of the plan, over nothing that is there. Gives its path, if it has one. */
export const keepRefused = (text: string, path: string): string | undefined =>
  writeBeside(text, `${path}.refused`);

function replace(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, text, { flag: 'wx', flush: true });
  renameSync(part, path);
}

/** More of them than anybody keeps. */
const MOST = 1000;

function writeBeside(text: string, path: string): string | undefined {
  for (let number = 1; number <= MOST; number += 1) {
    const beside = number === 1 ? path : `${path}-${number}`;
    try {
      writeFileSync(beside, text, { flag: 'wx' });
      return beside;
    } catch (error) {
      const { code } = Object(error) as { readonly code?: unknown };
      if (code !== 'EEXIST') return undefined;
    }
  }
  return undefined;
}
