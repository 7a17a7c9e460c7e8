import { isClosed, type Task } from '@atelier/engine';
import type { Plan } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import { personaOfTask, type Roster } from '@atelier/team-behaviors';

/** Characters of all lines together: what a meeting takes as its topic has to be shorter. */
const ROOM = 7000;

const GOAL = 1000;

/** Code points of a title, and of the paths of a task. */
const FIELD = 160;

/** What a meeting is about, in lines: the goal, then every task with its wave, who does it, and what it touches. Bounded. */
export function topicOf({ goal, tasks }: Plan, roster: Roster): readonly string[] {
  const rows = tasks
    .filter((task) => !isClosed(task))
    .map((task) => ({ wave: task.parallel_group ?? 0, task }))
    .sort((one, other) => one.wave - other.wave)
    .map(({ task }) => rowOf(task, personaOfTask(roster, task).id));
  let room = ROOM;
  const shown: string[] = [];
  for (const line of [`Goal: ${printable(goal, GOAL)}`, ...rows]) {
    room -= line.length;
    if (room < 0) break;
    shown.push(line);
  }
  const more = rows.length + 1 - shown.length;
  return more === 0 ? shown : [...shown, `(${more} more tasks are in the plan)`];
}

/** The same in one text, for the record. */
export const topicText = (lines: readonly string[]): string => lines.join(' — ');

function rowOf({ id, title, parallel_group: wave, reads, writes }: Task, who: string): string {
  return [
    `Wave ${wave ?? '-'}: ${printable(id, 80)}, ${printable(title ?? 'no title', FIELD)}. ${who}.`,
    reads ? ` Reads ${paths(reads)}.` : '',
    writes ? ` Writes ${paths(writes)}.` : ' May write anywhere.',
  ].join('');
}

const paths = (given: readonly string[]): string =>
  given.length === 0 ? 'nothing' : printable(given.join(', '), FIELD);
