import type { Usage } from '@atelier/engine';
import type { Dialect } from './dialects/dialect.ts';
import { BYTES_PER_TOKEN, type Expected } from './expected.ts';
import { gathered } from './gathered.ts';
import { sseRecords } from './sse-records.ts';
import { larger, sum } from './usage-sum.ts';

/** Counts what one answer costs while it goes by. */
export interface Meter {
  take(chunk: Buffer): void;
  /** The answer is over: one that is a single JSON value can be read now. */
  end(): void;
  /** Nobody takes the rest of it. Without effect once it is over. */
  leave(): void;
  /** As known now. Whatever the API has not told is estimated: from the request, and from what was written. */
  usage(): Usage;
  /** The API has told something of it. */
  isTold(): boolean;
}

interface MeterOptions {
  readonly dialect: Dialect;
  readonly contentType: string;
  readonly expected: Expected;
  /** Milliseconds. */
  readonly now: () => number;
  /** The usage may have changed. */
  readonly onGrowth: () => void;
}

/** What the estimate grows by before anybody is told. */
const STEP = 256;
const LONGEST_JSON = 8 * 1024 * 1024;

/** What models write, also where it is not shown. */
const TOKENS_PER_SECOND = 50;

/** A meter for an answer of the given type. What is neither an event stream nor JSON is estimated by its length. */
export function meter(options: MeterOptions): Meter {
  const { contentType } = options;
  if (/^text\/event-stream\b/iu.test(contentType)) return streamMeter(options);
  return wholeMeter(options, /^application\/json\b/iu.test(contentType));
}

const estimated = (written: number): number => Math.ceil(written / BYTES_PER_TOKEN);

/**
 * What is written since the API last told is estimated on top of it. Of a stream that is left before the API tells, what
 * was not shown counts too: as much as can be written in its time.
 */
function streamMeter({ dialect, expected, now, onGrowth }: MeterOptions): Meter {
  const began = now();
  let known: Usage = {};
  let written = 0;
  let toldAt = 0;
  let isOver = false;
  let unseen = 0;
  const { read } = sseRecords((record) => {
    const told = dialect.told(record);
    known = larger(known, told.usage);
    isOver ||= told.isLast;
    written = told.usage.outputTokens === undefined ? written + told.written : 0;
    if (Object.keys(told.usage).length === 0 && estimated(written) - toldAt < STEP) return;
    toldAt = estimated(written);
    onGrowth();
  });
  return {
    isTold: () => Object.keys(known).length > 0,
    take: read,
    end() {
      isOver = true;
    },
    leave() {
      if (isOver) return;
      isOver = true;
      const inTime = Math.floor(((now() - began) / 1_000) * TOKENS_PER_SECOND);
      unseen = Math.min(inTime, expected.mostOutput);
    },
    usage() {
      const seen = written === 0 ? known : sum(known, { outputTokens: estimated(written) });
      const told = { inputTokens: expected.inputTokens, ...seen };
      return unseen === 0 ? told : larger(told, { outputTokens: unseen });
    },
  };
}

/** Nothing is known of an answer before its end; one without an end counts as what was asked for. */
function wholeMeter({ dialect, expected, onGrowth }: MeterOptions, isJson: boolean): Meter {
  const kept = gathered(isJson ? LONGEST_JSON : 0);
  let size = 0;
  let told: Usage = {};
  let isOver = false;
  return {
    isTold: () => Object.keys(told).length > 0,
    take(chunk) {
      size += chunk.length;
      kept.add(chunk);
    },
    end() {
      isOver = true;
      try {
        told = dialect.usageOf(JSON.parse(kept.bytes().toString()));
      } catch {
        // No JSON after all, or more of it than is read: its cost is estimated.
      }
      kept.clear();
      onGrowth();
    },
    leave: () => undefined,
    usage() {
      const { inputTokens } = expected;
      const outputTokens = Math.max(estimated(size), isOver ? 0 : expected.outputTokens);
      return { inputTokens, ...(told.outputTokens === undefined && { outputTokens }), ...told };
    },
  };
}
