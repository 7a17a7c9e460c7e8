import type { Task } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { type ContentPart, changedParts, wordsOf } from './content-key.ts';
import type { EarlierWork } from './earlier-work.ts';

interface Compared {
  readonly task: Task;
  /** What it would be charged with now. */
  readonly contentKey: string;
  readonly earlier: EarlierWork;
  /** The files that it reads and that are others than when the earlier attempt began; undefined where that is not known. */
  readonly changedFiles: () => Promise<readonly string[] | undefined>;
}

/** Why merged work does not stand for a task, in one line: what of its content key is another, or that it is gone. */
export async function whyAnew(given: Compared): Promise<string> {
  const { earlier, contentKey } = given;
  const of = `run ${printable(earlier.runId, 60)}`;
  const parts = changedParts(earlier.contentKey, contentKey);
  if (parts === undefined)
    return `since ${of} something has changed that it depends on; what, was not recorded yet`;
  if (parts.length === 0) return `what ${of} merged is not on this branch, or was changed since`;
  // The briefing says the task, so that it tells nothing more.
  const told = parts.filter((part) => part !== 'briefing' || !parts.includes('task'));
  const texts: string[] = [];
  for (const part of told) texts.push(await textOf(part, given));
  return `since ${of}: ${texts.join('; ')}`;
}

async function textOf(part: ContentPart, given: Compared): Promise<string> {
  if (part === 'task') return `its own text has changed${keysText(given)}`;
  if (part === 'trees')
    return `files that it reads have changed${filesText(await given.changedFiles())}`;
  return WORDS[part];
}

const WORDS: Readonly<Record<Exclude<ContentPart, 'task' | 'trees'>, string>> = {
  briefing: 'it would be told something else: of its upstreams, its caps, or by this version',
  reviewers: 'who reviews it has changed',
  settings: 'the agent, its version, the walls, the gate, the set-up or this version has changed',
  model: 'it would be given another model',
  files: 'what workers get or may read outside of git has changed',
};

const LISTED = 3;

function listed(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > LISTED ? ` +${names.length - LISTED}` : '';
  const shown = names.slice(0, LISTED).map((name) => printable(name, 60));
  return ` (${shown.join(', ')}${more})`;
}

const filesText = (files: readonly string[] | undefined): string => listed(files ?? []);

function keysText({ task, earlier }: Compared): string {
  if (!earlier.task) return '';
  const [before, now] = [wordsOf(earlier.task), wordsOf(task)].map(
    (words) => new Map(Object.entries(words)),
  );
  const keys = [...new Set([...(before?.keys() ?? []), ...(now?.keys() ?? [])])];
  return listed(
    keys.filter((key) => JSON.stringify(before?.get(key)) !== JSON.stringify(now?.get(key))),
  );
}
