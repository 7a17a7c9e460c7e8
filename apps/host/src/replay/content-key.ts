import { createHash } from 'node:crypto';
import type { Task } from '@atelier/engine';
import type { JsonValue } from '@atelier/envelope';

/** Changed whenever the same parts mean something else. */
const VERSION = 2;

/** All that the result of a task depends on. */
export interface ContentParts {
  /** What its first attempt would be told. */
  readonly briefing: string;
  readonly task: Task;
  /** Those without whose approval its work does not count. */
  readonly reviewers: readonly Task[];
  /** What is the same for every task of a run: agent, walls, further reads, schema, gate, set-up. */
  readonly settings: JsonValue;
  /** What it reads, as names of git objects by path. */
  readonly trees: readonly (readonly [path: string, oid: string])[];
  /** What it may read outside of git, as one print. */
  readonly files: string;
}

/** One text that is equal only where all parts are equal. */
export function contentKey({
  briefing,
  task,
  reviewers,
  settings,
  trees,
  files,
}: ContentParts): string {
  const parts = [
    VERSION,
    briefing,
    sorted(wordsOf(task)),
    reviewers.map((one) => sorted(wordsOf(one))),
    sorted(settings),
    trees,
    files,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** When a plan was loaded and how far a row had come is no part of what it says. */
const wordsOf = ({ created_at: _, status: __, attempts: ___, ...words }: Task): object => words;

/** The same value with its keys in order, at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
