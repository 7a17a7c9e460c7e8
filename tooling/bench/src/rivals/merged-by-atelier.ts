import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptance } from '@atelier/acceptance';
import { cliTransport, commandAgent } from '@atelier/cli-transport';
import { run, type Task } from '@atelier/engine';
import { openStore } from '@atelier/store-sqlite';
import { openRepository, withWorktrees } from '@atelier/worktrees';
import { ATELIER } from '../atelier.ts';
import { ran, script } from '../programs.ts';
import { WIDTH } from '../sandboxed-run.ts';
import type { Schedule } from '../schedules.ts';
import { timed } from '../timing.ts';
import { behindWalls } from '../walls.ts';
import { faultsOf, fileOf, git, type MergePlace } from './merge-place.ts';

const WORKER = `mkdir -p files
echo "$ATELIER_TASK_ID" >"files/$ATELIER_TASK_ID.txt"
printf '{"type":"task_result","task_id":"%s","attempt":%s,"status":"done","artifacts":["files/%s.txt"],"notes_md":""}' "$ATELIER_TASK_ID" "$ATELIER_ATTEMPT" "$ATELIER_TASK_ID" >"$ATELIER_REPLY_FILE.part"
mv "$ATELIER_REPLY_FILE.part" "$ATELIER_REPLY_FILE"`;

const planOf = (tasks: readonly string[]): Task[] =>
  tasks.map((id) => ({
    id,
    parallel_group: 1,
    title: `Write ${fileOf(id)}`,
    description: `Write ${fileOf(id)}.`,
    reads: [],
    writes: [fileOf(id)],
  }));

interface Merged {
  readonly ms: number;
  readonly faults: readonly string[];
}

/** The whole command as a user types it: its start, the proof of its walls, its report. */
export async function mergedByCommand(
  place: MergePlace,
  tasks: readonly string[],
): Promise<Merged> {
  const { folder, clone, env } = place;
  const [worker, state] = [join(folder, 'worker.sh'), join(folder, 'state')];
  script(worker, WORKER);
  const plan = { goal: 'Write one file each', tasks: planOf(tasks) };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const args = ['run', join(folder, 'plan.json'), '--repo', clone, '--state-dir', state];
  const how = [
    '--agent',
    `command:${worker}`,
    '--max-workers',
    String(WIDTH),
    '--run-mode',
    'balanced',
  ];
  const ms = await timed(() =>
    ran(process.execPath, [ATELIER, ...args, ...how], { cwd: folder, env }),
  );
  const [branch = 'none'] = git(place, 'branch', '--list', 'atelier/*', '--format=%(refname:short)')
    .split('\n')
    .filter((name) => name !== '');
  return { ms, faults: faultsOf(place, { tasks, branch, under: state }) };
}

/** The same parts put together in a process that runs and has proved its walls; without briefing and report. */
export async function mergedByParts(
  place: MergePlace,
  tasks: readonly string[],
  schedule: Schedule,
): Promise<Merged> {
  const { folder, clone } = place;
  const [program, root] = [join(folder, 'worker.sh'), join(folder, 'run')];
  script(program, WORKER);
  const confinement = await behindWalls();
  const ms = await timed(async () => {
    const store = openStore({ path: join(folder, 'atelier.db') });
    const repository = await openRepository({ dir: clone });
    const work = await repository.startRun({ runId: 'bench', root });
    const cli = cliTransport({
      agent: commandAgent({ program }),
      confinement,
      runDir: join(root, 'workers'),
    });
    const { verdict } = await run(planOf(tasks), {
      runId: 'bench',
      transport: withWorktrees(cli, work),
      journal: store.journal,
      acceptance: acceptance({ workspace: work, commandMs: 60_000 }),
      policy: { maxWorkers: WIDTH, schedule },
      sink: () => undefined,
    });
    await work.tidy(async () => false);
    store.close();
    if (verdict !== 'complete') throw new Error(`the run ended ${verdict}`);
  });
  const branch = 'atelier/bench';
  return { ms, faults: faultsOf(place, { tasks, branch, under: root }) };
}
