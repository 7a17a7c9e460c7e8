import { foldBench } from './fold.ts';
import { journalBench } from './journal.ts';
import { spawnBench } from './spawn.ts';

for (const bench of [foldBench, journalBench, spawnBench]) {
  for (const line of await bench()) console.log(line);
  console.log('');
}
