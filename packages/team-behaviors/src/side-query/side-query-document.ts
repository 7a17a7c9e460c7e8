import { markdownText, printable } from '@atelier/envelope';
import type { JsonObject } from '../json-object.ts';

/** A side query as a document for people. The texts in it are untrusted. */
export interface SideQueryDocument {
  readonly domain: 'log';
  readonly subdomain: 'side-query';
  readonly title: string;
  readonly createdBy: 'human-side-query';
  /** Markdown. */
  readonly body: string;
  readonly metadata: JsonObject;
}

export const sideQueryDocument = (
  teamId: string,
  payload: {
    readonly prompt: string;
    readonly response: string;
    readonly worker_role_id: string;
  },
): SideQueryDocument => ({
  domain: 'log',
  subdomain: 'side-query',
  title: `Side query to ${printable(payload.worker_role_id, 64)}`,
  createdBy: 'human-side-query',
  body: `## Prompt\n\n${quoted(payload.prompt)}\n\n## Response\n\n${quoted(payload.response)}\n`,
  metadata: { team_id: teamId, ...payload },
});

/**
 * As a block quote, line by line: no line of it can be markup, a link or a mention, or leave the quote. Spaces that a line
 * begins with stay, and do not make code of it.
 */
const quoted = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/u)
    .map((line) => {
      const words = line.trimStart();
      const indent = '&nbsp;'.repeat(line.length - words.length);
      return `> ${indent}${markdownText(words, Number.POSITIVE_INFINITY)}`;
    })
    .join('\n');
