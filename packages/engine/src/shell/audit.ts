import type { Reply } from '@atelier/envelope';
import type { Notice } from '../core/event.ts';
import type { Task } from '../core/task.ts';
import { swallow } from './swallow.ts';

/** A text that somebody else wrote: a task before its first dispatch, or a reply. */
export type ForeignText =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'reply'; readonly reply: Reply };

/**
 * What in a foreign text asks for something that only the host decides. Recorded and nothing else: no decision reads it,
 * and no safety rests on it.
 */
export type Audit = (text: ForeignText) => readonly Notice[];

/** More of them say nothing new. */
const NOTICES = 10;

/** What an audit notices, as a part of an input. */
export function noticesIn(
  audit: Audit,
  text: ForeignText,
): { readonly notices?: readonly Notice[] } {
  const found = swallow(() => audit(text));
  if (!Array.isArray(found) || found.length === 0) return {};
  return { notices: found.slice(0, NOTICES) };
}
