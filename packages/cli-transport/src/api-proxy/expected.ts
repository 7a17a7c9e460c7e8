import type { Usage } from '@atelier/engine';
import type { Asked } from './dialects/dialect.ts';

/** What a request is taken to cost until the API has told. */
export interface Expected {
  readonly inputTokens: number;
  /** Of an answer that comes as a whole: nothing is seen of it before its end. */
  readonly outputTokens: number;
  /** No answer is longer. */
  readonly mostOutput: number;
}

/** A rule of thumb for texts and code. */
export const BYTES_PER_TOKEN = 4;

/** Of images and documents, as they are written in a request. */
const EMBEDDED_BYTES_PER_TOKEN = 64;

/** Of a request that does not say what it lets the model write. */
const OUTPUT = 32_000;
const MOST_OUTPUT = 128_000;

export function expectedOf(bodyBytes: number, { streams, maxOutput, embedded }: Asked): Expected {
  const texts = Math.max(0, bodyBytes - embedded) / BYTES_PER_TOKEN;
  const mostOutput = Math.min(maxOutput ?? MOST_OUTPUT, MOST_OUTPUT);
  return {
    inputTokens: Math.ceil(texts + embedded / EMBEDDED_BYTES_PER_TOKEN),
    outputTokens: streams ? 0 : Math.min(maxOutput ?? OUTPUT, MOST_OUTPUT),
    mostOutput,
  };
}

/** Of a request that has been sent and not answered yet. */
export const unanswered = ({ inputTokens, outputTokens }: Expected): Usage =>
  outputTokens === 0 ? { inputTokens } : { inputTokens, outputTokens };
