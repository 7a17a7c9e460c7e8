import type { IncomingMessage } from 'node:http';

const CAP = 1024 * 1024;

/** The parsed body, null when it is no JSON, undefined when it is too large. */
export async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    size += part.length;
    if (size <= CAP) parts.push(part);
  }
  if (size > CAP) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return null;
  }
}
