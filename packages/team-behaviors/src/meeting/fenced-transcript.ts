import { fenceMessage } from '../wire/fence-message.ts';
import { wordsOfTurn } from './contribution.ts';
import type { Turn } from './meeting-log.ts';

/** UTF-16 units of a transcript that an agent is given. */
const ROOM = 60_000;

/** What was said so far, for the eyes of an agent: every turn in a fence, the last ones that fit, oldest first. */
export function fencedTranscript(turns: readonly Turn[]): string {
  let room = ROOM;
  const shown: string[] = [];
  for (const turn of turns.toReversed()) {
    const fenced = fenceMessage({
      payload: wordsOfTurn(turn),
      senderId: turn.senderId,
      seq: turn.turn,
    });
    room -= fenced.length;
    if (room < 0 && shown.length > 0) break;
    shown.unshift(fenced);
  }
  const older = turns.length - shown.length;
  return [...(older === 0 ? [] : [`(${older} older turns are not shown)`]), ...shown].join('\n');
}
