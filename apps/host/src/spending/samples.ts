import type { Sample } from '@atelier/budget';
import type { Journal, RunEvent } from '@atelier/engine';
import type { Store } from '@atelier/store-sqlite';
import { attemptsOf } from './attempts-of.ts';
import { kindOf } from './model-of.ts';

/** Older runs say little about models and plans of today. */
const RUNS = 5;

/** What attempts of the latest runs have used. A run whose record can not be read teaches nothing. */
export async function samplesOf({
  runs,
  journal,
}: Pick<Store, 'runs' | 'journal'>): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { run_id } of runs().slice(-RUNS)) {
    const events = await eventsOf(journal, run_id);
    for (const { ended, task, model, spent } of attemptsOf(events))
      if (ended) samples.push({ kind: kindOf(task, model ?? undefined), spent });
  }
  return samples;
}

async function eventsOf(journal: Journal, runId: string): Promise<readonly RunEvent[]> {
  try {
    return await journal.load(runId);
  } catch {
    return [];
  }
}
