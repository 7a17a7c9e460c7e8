import { taskKey } from '../core/task.ts';
import { digestBlock, type ValidReply } from './digest-block.ts';

/** What the replies of one wave amount to. */
export interface WaveReplies {
  /** Takes the reply of an attempt; told again of the same one, it counts nothing. */
  add(reply: ValidReply): void;
  /** UTF-8 bytes of all notes, and of all artifacts as JSON text. */
  bytes(): number;
  /** A block for each reply, in the order they came. */
  digest(): string;
}

export function waveReplies(): WaveReplies {
  const counted = new Map<string, number>();
  const blocks: string[] = [];
  let bytes = 0;
  return {
    add(reply) {
      const key = taskKey(reply.taskId);
      if (counted.get(key) === reply.attempt) return;
      counted.set(key, reply.attempt);
      const { artifacts, notes_md } = reply.reply;
      bytes += utf8Bytes(JSON.stringify(artifacts));
      if (typeof notes_md === 'string') bytes += utf8Bytes(notes_md);
      blocks.push(digestBlock(reply));
    },
    bytes: () => bytes,
    digest: () => blocks.join('\n\n'),
  };
}

const encoder = new TextEncoder();

const utf8Bytes = (text: string): number => encoder.encode(text).length;
