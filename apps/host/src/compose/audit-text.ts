import { foreignInstructions } from '@atelier/briefing';
import type { Audit, Notice } from '@atelier/engine';

/** What tasks and replies say to the host instead of to a worker or a person. */
export const auditText: Audit = (text) =>
  text.kind === 'task'
    ? [
        ...noticesIn('title', text.task.title),
        ...noticesIn('description', text.task.description),
        ...noticesIn('acceptance', text.task.acceptance),
      ]
    : noticesIn('notes_md', text.reply.notes_md);

const noticesIn = (field: string, text: unknown): Notice[] =>
  typeof text === 'string'
    ? foreignInstructions(text).map(({ kind, text: excerpt }) => ({
        field,
        excerpt: `${kind}: ${excerpt}`,
      }))
    : [];
