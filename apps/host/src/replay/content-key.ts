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
  /** Null where none is chosen for it. */
  readonly model: string | null;
  /** What it reads, as names of git objects by path. */
  readonly trees: readonly (readonly [path: string, oid: string])[];
  /** What it may read outside of git, as one print. */
  readonly files: string;
}

/** The parts that are told apart when a key is another than before. */
const PARTS = ['briefing', 'task', 'reviewers', 'settings', 'model', 'trees', 'files'] as const;

export type ContentPart = (typeof PARTS)[number];

/**
 * One text that is equal only where all parts are equal: their hash, and behind a dot a short print of each of them. The
 * prints follow from what is hashed, and serve nothing but {@link changedParts}.
 */
export function contentKey(parts: ContentParts): string {
  const whole = [
    VERSION,
    parts.briefing,
    sorted(wordsOf(parts.task)),
    parts.reviewers.map((one) => sorted(wordsOf(one))),
    sorted([parts.settings, parts.model]),
    parts.trees,
    parts.files,
  ];
  const each: Readonly<Record<ContentPart, unknown>> = {
    ...{ briefing: parts.briefing, task: whole[2], reviewers: whole[3], model: parts.model },
    ...{ settings: sorted(parts.settings), trees: parts.trees, files: parts.files },
  };
  const prints = PARTS.map((part) => hashOf(each[part]).slice(0, PRINT_LENGTH));
  return `${hashOf(whole)}.${prints.join('')}`;
}

const PRINT_LENGTH = 8;

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The hash alone: what keys were before they had prints, and what runs of that time have recorded. */
export const bareKey = (key: string): string => key.split('.', 1)[0] ?? key;

/** In which parts two keys differ; undefined where one of them does not tell. */
export function changedParts(before: string, now: string): readonly ContentPart[] | undefined {
  const [old, own] = [printsOf(before), printsOf(now)];
  if (bareKey(before) === bareKey(now)) return [];
  return old && own && PARTS.filter((_, index) => old[index] !== own[index]);
}

function printsOf(key: string): readonly string[] | undefined {
  const prints = key.split('.', 2)[1]?.match(/[0-9a-f]{8}/gu);
  return prints?.length === PARTS.length ? prints : undefined;
}

/** When a plan was loaded and how far a row had come is no part of what it says. */
export const wordsOf = ({ created_at: _, status: __, attempts: ___, ...words }: Task): object =>
  words;

/** The same value with its keys in order, at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
