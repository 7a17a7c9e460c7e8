import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cliTransport, commandAgent } from '@atelier/cli-transport';
import { run, type Task, type Transport } from '@atelier/engine';
import { openStore } from '@atelier/store-sqlite';
import { script } from './programs.ts';
import type { Schedule } from './schedules.ts';
import { timed } from './timing.ts';
import { behindWalls } from './walls.ts';

export const WIDTH = 5;

/** Sleeps the seconds that are its briefing, none when that is empty, and says that it is done. */
const WORKER = `read -r seconds
[ -z "$seconds" ] || sleep "$seconds"
printf '{"type":"task_result","task_id":"%s","attempt":%s,"status":"done","artifacts":["a"],"notes_md":""}' "$ATELIER_TASK_ID" "$ATELIER_ATTEMPT" >"$ATELIER_REPLY_FILE.part"
mv "$ATELIER_REPLY_FILE.part" "$ATELIER_REPLY_FILE"`;

export interface SandboxedRun {
  /** A folder of this run alone. */
  readonly folder: string;
  readonly schedule: Schedule;
}

/** How long a run took. */
export interface Took {
  readonly ms: number;
  /** Of each task, from the call that starts its worker until its report. */
  readonly workersMs: ReadonlyMap<string, number>;
}

/**
 * Runs tasks five wide as bubblewrapped processes, with a journal in SQLite and without worktrees. Rejects unless all
 * of them end done.
 */
export async function sandboxedRun(
  tasks: readonly Task[],
  { folder, schedule }: SandboxedRun,
): Promise<Took> {
  const program = join(folder, 'worker.sh');
  const workspace = join(folder, 'work');
  script(program, WORKER);
  // Walls are put up around work trees of git only.
  if (!existsSync(workspace)) execFileSync('git', ['init', '--quiet', workspace]);
  const cli = cliTransport({
    agent: commandAgent({ program }),
    confinement: await behindWalls(),
    runDir: join(folder, 'run'),
  });
  const workersMs = new Map<string, number>();
  const transport: Transport = {
    ...cli,
    start: async (order, signal) => {
      const began = performance.now();
      const handle = await cli.start({ ...order, workspace }, signal);
      const report = handle.report.then((end) => {
        workersMs.set(String(order.task.id), performance.now() - began);
        return end;
      });
      return { ...handle, report };
    },
  };
  const store = openStore({ path: join(folder, 'atelier.db') });
  try {
    const ms = await timed(async () => {
      const { verdict } = await run(tasks, {
        transport,
        journal: store.journal,
        policy: { maxWorkers: WIDTH, schedule },
        sink: () => undefined,
      });
      if (verdict !== 'complete') throw new Error(`the run ended ${verdict}`);
    });
    return { ms, workersMs };
  } finally {
    store.close();
  }
}
