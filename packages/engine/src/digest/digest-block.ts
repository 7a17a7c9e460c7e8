import { printable, type Reply } from '@atelier/envelope';
import { artifactPointers } from '../core/artifact-pointers.ts';
import type { TaskId } from '../core/task.ts';
import { cutNotes } from './cut-notes.ts';

/** A reply that passed the checks of its shape, and whose it is by the engine's own record. */
export interface ValidReply {
  readonly taskId: TaskId;
  readonly attempt: number;
  readonly reply: Reply;
}

/** Paths that are named before they are only counted. */
const PATHS = 20;

/**
 * One reply in a few lines: whose it is and its status, how many artifacts it has and their paths, its notes. Only the
 * first line begins at the margin, so that no text of a worker can pass for another reply.
 */
export function digestBlock({ taskId, attempt, reply }: ValidReply): string {
  const { artifacts, notes_md, status } = reply;
  return [
    `task_id=${printable(taskId)} attempt=${attempt} status=${status}`,
    artifactLine(artifacts),
    ...cutNotes(notes_md, status).map((line) => `  ${line}`),
  ].join('\n');
}

function artifactLine(artifacts: Reply['artifacts']): string {
  const paths = artifactPointers(artifacts, artifacts.length);
  const more = paths.length - PATHS;
  const named = paths.slice(0, PATHS).map((path) => printable(path));
  const listed = more > 0 ? [...named, `+${more} more`] : named;
  return `  artifacts: ${artifacts.length}${listed.length > 0 ? `: ${listed.join(', ')}` : ''}`;
}
