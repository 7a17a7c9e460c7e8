import { foldBench } from './fold.ts';
import { journalBench } from './journal.ts';
import { spawnBench } from './spawn.ts';
import { worktreesBench } from './worktrees.ts';

for (const bench of [foldBench, journalBench, spawnBench, worktreesBench]) {
  for (const line of await bench()) console.log(line);
  console.log('');
}
