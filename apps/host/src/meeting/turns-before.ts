import { type LedgerSum, ledgerOf } from '@atelier/budget';
import type { RunEvent } from '@atelier/engine';
import type { Store } from '@atelier/store-sqlite';
import { attemptsOf } from '../spending/attempts-of.ts';
import { turnRuns } from './turn-run.ts';

/** What is on record of the meeting of a run's team, turn by turn: it is a part of what the run costs. */
export async function turnsBefore(
  store: Pick<Store, 'runs' | 'journal' | 'team'>,
  runId: string,
): Promise<readonly (readonly RunEvent[])[]> {
  const team = store.team.teams.ofRun(runId);
  return team ? turnRuns(store, team.teamId).events() : [];
}

/** What they have used, as far as it is known; undefined where there were none. */
export function costOfTurns(turns: readonly (readonly RunEvent[])[]): LedgerSum | undefined {
  const attempts = turns.flatMap(attemptsOf);
  return attempts.length === 0 ? undefined : ledgerOf(attempts).total;
}
