import { taskKey } from '../core/task.ts';
import { digestBlock, type ValidReply } from './digest-block.ts';

/** What the replies of one wave amount to. */
export interface WaveReplies {
  /** Takes the reply of an attempt; told again of the same one, it counts nothing. */
  add(reply: ValidReply): void;
  /** UTF-8 bytes of all notes, and of all artifacts as JSON text. */
  bytes(): number;
  /** A block for each reply, in the order they came; those beyond a bound are counted in its last line. */
  digest(): string;
}

/** Bytes of all blocks together, whatever workers write; a first one is told however long it is. */
const DIGEST_BYTES = 256 * 1024;

const BETWEEN = '\n\n';

export function waveReplies(): WaveReplies {
  const counted = new Map<string, number>();
  const blocks: string[] = [];
  let bytes = 0;
  let room = DIGEST_BYTES;
  let more = 0;
  return {
    add(reply) {
      const key = taskKey(reply.taskId);
      if (counted.get(key) === reply.attempt) return;
      counted.set(key, reply.attempt);
      const { artifacts, notes_md } = reply.reply;
      bytes += utf8Bytes(JSON.stringify(artifacts));
      if (typeof notes_md === 'string') bytes += utf8Bytes(notes_md);
      // Once one had no room, none behind it is told: the digest has the first replies, not the short ones.
      const block = more > 0 ? '' : digestBlock(reply);
      room -= utf8Bytes(block) + BETWEEN.length;
      if (more > 0 || (room < 0 && blocks.length > 0)) more += 1;
      else blocks.push(block);
    },
    bytes: () => bytes,
    digest: () => [...blocks, ...(more > 0 ? [`+${more} more replies`] : [])].join(BETWEEN),
  };
}

const encoder = new TextEncoder();

const utf8Bytes = (text: string): number => encoder.encode(text).length;
