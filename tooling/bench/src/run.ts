import { durableBench } from './durable.ts';
import { foldBench } from './fold.ts';
import { journalBench } from './journal.ts';
import { restartBench } from './restart/restart.ts';
import { spawnBench } from './spawn.ts';
import { worktreesBench } from './worktrees.ts';

const BENCHES = {
  fold: foldBench,
  journal: journalBench,
  durable: durableBench,
  restart: restartBench,
  spawn: spawnBench,
  worktrees: worktreesBench,
};

/** All of them, or those that are named. */
const named = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  for (const line of await bench()) console.log(line);
  console.log('');
}
