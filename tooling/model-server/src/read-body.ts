import type { IncomingMessage } from 'node:http';

const BODY_LIMIT = 16 * 1024 * 1024;

/** The parsed body, null when it is no JSON, undefined when it is too large. */
export async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    size += part.length;
    if (size > BODY_LIMIT) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return null;
  }
}
