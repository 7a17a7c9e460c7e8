import { foldBench } from './fold.ts';
import { journalBench } from './journal.ts';

for (const bench of [foldBench, journalBench]) {
  for (const line of await bench()) console.log(line);
  console.log('');
}
