import type { IncomingMessage } from 'node:http';
import { gathered } from './gathered.ts';
import type { Room } from './room.ts';

interface Space {
  readonly longest: number;
  /** What is taken of it stays taken: `give` back what is `held`. */
  readonly room: Room;
}

export interface RequestBody {
  /** Of the room. */
  readonly held: number;
  /** The whole body; else what it was too large for. */
  readonly bytes: Buffer | 'limit' | 'room';
}

/** The whole body, for it is looked at, and may have to be sent again. A client that leaves has none: `limit`. */
export async function requestBody(
  request: IncomingMessage,
  { longest, room }: Space,
): Promise<RequestBody> {
  // Known beforehand, nothing of it is read.
  if (Number(request.headers['content-length'] ?? 0) > longest) return { held: 0, bytes: 'limit' };
  const kept = gathered(longest);
  let size = 0;
  let held = 0;
  let reason: 'limit' | 'room' | undefined;
  try {
    for await (const piece of request) {
      size += piece.length;
      // The rest goes by unread: leaving the loop would take the connection, and with it the answer.
      if (reason === undefined) {
        if (!room.take(piece.length)) reason = 'room';
        else {
          held += piece.length;
          if (!kept.add(piece)) reason = 'limit';
        }
        if (reason !== undefined) kept.clear();
      }
      if (size > 2 * longest) break;
    }
  } catch {
    reason = 'limit';
  }
  return { held, bytes: reason ?? kept.bytes() };
}
