import type { RunEvent, Task } from '@atelier/engine';
import type { Store } from '@atelier/store-sqlite';
import { MEETING } from '../planner/only-reads.ts';

/** Whose turn it is. */
export interface TurnName {
  readonly speaker: string;
  readonly round: number;
}

/** The one task of a turn. It is dispatched once: who fails to speak misses the turn. */
export const turnTask = ({ speaker, round }: TurnName): Task => ({
  id: 'turn',
  parallel_group: 1,
  title: `Speak in round ${round}`,
  description: 'Say where you stand to the plan, and why.',
  phase: 'plan',
  assigned_persona: speaker,
  writes: [],
});

/** What is recorded with the run of a turn. */
export const aboutTurn = (
  { speaker, round }: TurnName,
  teamId: string,
): Readonly<Record<string, string>> => ({
  ...{ kind: 'meeting', team: teamId, speaker, round: String(round) },
});

/** The runs of a meeting's turns, by their numbers. */
export interface TurnRuns {
  /** The name of the next one. */
  next(): string;
  /** What was said in that turn, if it was the last one and its host did not get to write it down. */
  saidIn(turn: TurnName): Promise<string | undefined>;
  /** What is on record of each, in order. */
  events(): Promise<readonly (readonly RunEvent[])[]>;
}

export function turnRuns(
  { runs, journal }: Pick<Store, 'runs' | 'journal'>,
  teamId: string,
): TurnRuns {
  const prefix = `${MEETING}${teamId}-`;
  const known = () => runs().filter(({ run_id }) => run_id.startsWith(prefix));
  return {
    next: () => `${prefix}${known().length + 1}`,
    async saidIn({ speaker, round }) {
      const last = known().at(-1);
      if (!last) return undefined;
      const events = await journal.load(last.run_id);
      const { about } = startOf(events);
      const isThat = about['speaker'] === speaker && about['round'] === String(round);
      return isThat ? notesIn(events) : undefined;
    },
    events: () => Promise.all(known().map(async ({ run_id }) => journal.load(run_id))),
  };
}

function startOf(events: readonly RunEvent[]): { readonly about: Record<string, unknown> } {
  const start = events.find(({ type }) => type === 'run.started');
  return { about: Object(start && 'about' in start ? start.about : undefined) };
}

function notesIn(events: readonly RunEvent[]): string | undefined {
  const accepted = events.findLast((event) => event.type === 'attempt.accepted');
  const notes = accepted && 'reply' in accepted ? accepted.reply.notes_md : undefined;
  return typeof notes === 'string' ? notes : undefined;
}
