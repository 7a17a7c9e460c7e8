import type { IncomingMessage } from 'node:http';

/** The whole body, for it may have to be sent again; undefined when it is longer. Rejects when the client leaves. */
export async function requestBody(
  request: IncomingMessage,
  longest: number,
): Promise<Buffer | undefined> {
  // Known beforehand, nothing of it is read.
  if (Number(request.headers['content-length'] ?? 0) > longest) return undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    // The rest goes by unread: leaving the loop would take the connection, and with it the answer.
    if (size <= longest) pieces.push(piece);
    else pieces.length = 0;
    if (size > 2 * longest) break;
  }
  return size > longest ? undefined : Buffer.concat(pieces);
}
