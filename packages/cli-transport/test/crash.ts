import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { WorkOrder } from '@atelier/engine';
import type { Confinement } from '../src/index.ts';
import { killHost, startHost } from './host-process.ts';
import { livingWith, textOf, until } from './living.ts';
import { type Stage, spool } from './stage.ts';

interface CrashOptions {
  readonly body: string;
  readonly order?: Partial<WorkOrder>;
  readonly limits?: object;
}

/** Starts an attempt in another process, and kills that once the agent has said `ready`. */
export async function crashHost(
  on: Stage,
  confinement: Confinement,
  { body, order, limits }: CrashOptions,
): Promise<void> {
  const host = await startHost({
    program: on.script(body),
    runDir: on.runDir,
    orders: [on.order(order)],
    sandboxed: confinement.kind === 'sandboxed',
    ...(limits ? { limits } : {}),
  });
  await until(() => textOf(spool(on).stdout).includes('ready'));
  await killHost(host);
}

/** Supervisor, walls and program at once, as someone might who tidies up by hand. */
export async function killWorker(on: Stage, mark: string): Promise<void> {
  process.kill(-Number.parseInt(textOf(spool(on).supervisor), 10), 'SIGKILL');
  await until(() => [spool(on).path, mark].every((one) => livingWith(one).length === 0));
}

/** As if something else had been written down about the worker. */
export function rewriteMeta(on: Stage, change: object | string): void {
  const path = spool(on).meta;
  const text =
    typeof change === 'string'
      ? change
      : JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change });
  rmSync(path);
  writeFileSync(path, text);
}
