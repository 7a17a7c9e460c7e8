import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliTransport, commandAgent } from '@atelier/cli-transport';
import { run, type Transport } from '@atelier/engine';
import { openStore } from '@atelier/store-sqlite';
import { ATTESTED, behindWalls } from '../walls.ts';
import type { RestartPlan } from './plan.ts';

/** A host that can be killed: everything it needs to go on is in its folder. */
const [folder = '', worker = ''] = process.argv.slice(2);
const { tasks, sandboxed } = JSON.parse(
  readFileSync(join(folder, 'plan.json'), 'utf8'),
) as RestartPlan;
const confinement = sandboxed ? await behindWalls() : ATTESTED;
const workspace = join(folder, 'work');
const store = openStore({ path: join(folder, 'atelier.db') });
const cli = cliTransport({
  agent: commandAgent({ program: worker }),
  confinement,
  runDir: join(folder, 'run'),
});
const { adopt } = cli;
const placed: Transport = {
  ...cli,
  start: (order, signal) => cli.start({ ...order, workspace }, signal),
  ...(adopt && { adopt: (order, signal) => adopt({ ...order, workspace }, signal) }),
};
const { verdict } = await run(tasks, {
  runId: 'restart',
  transport: placed,
  journal: store.journal,
  policy: { maxWorkers: 5 },
  sink: () => undefined,
});
store.close();
if (verdict !== 'complete') process.exitCode = 1;
