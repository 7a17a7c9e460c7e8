import type { Usage } from '@atelier/engine';
import type { Dialect } from './dialects/dialect.ts';
import { sseRecords } from './sse-records.ts';
import { larger, sum } from './usage-sum.ts';

/** Counts what one answer costs while it goes by. */
export interface Meter {
  take(chunk: Buffer): void;
  /** The answer is over: one that is a single JSON value can be read now. */
  end(): void;
  /** As known now; output that is not counted yet is estimated from what was written. Nothing known: empty. */
  usage(): Usage;
}

interface MeterOptions {
  readonly dialect: Dialect;
  readonly contentType: string;
  /** The usage may have changed. */
  readonly onGrowth: () => void;
}

/** A rule of thumb for texts and code; corrected as soon as the API tells. */
const BYTES_PER_TOKEN = 4;
/** What the estimate grows by before anybody is told. */
const STEP = 256;
const LONGEST_JSON = 8 * 1024 * 1024;

/** A meter for an answer of the given type. What is neither an event stream nor JSON tells nothing. */
export function meter({ dialect, contentType, onGrowth }: MeterOptions): Meter {
  if (/^text\/event-stream\b/iu.test(contentType)) return streamMeter(dialect, onGrowth);
  if (/^application\/json\b/iu.test(contentType)) return jsonMeter(dialect, onGrowth);
  return { take: () => undefined, end: () => undefined, usage: () => ({}) };
}

/** What is written since the API last told is estimated on top of it. */
function streamMeter(dialect: Dialect, onGrowth: () => void): Meter {
  let known: Usage = {};
  let written = 0;
  let toldAt = 0;
  const estimate = () => Math.ceil(written / BYTES_PER_TOKEN);
  const { read } = sseRecords((record) => {
    const told = dialect.told(record);
    known = larger(known, told.usage);
    written = told.usage.outputTokens === undefined ? written + told.written : 0;
    if (Object.keys(told.usage).length === 0 && estimate() - toldAt < STEP) return;
    toldAt = estimate();
    onGrowth();
  });
  return {
    take: read,
    end: () => undefined,
    usage: () => (written === 0 ? known : sum(known, { outputTokens: estimate() })),
  };
}

function jsonMeter(dialect: Dialect, onGrowth: () => void): Meter {
  let pieces: Buffer[] = [];
  let size = 0;
  let usage: Usage = {};
  return {
    take(chunk) {
      size += chunk.length;
      if (size > LONGEST_JSON) pieces = [];
      else pieces.push(chunk);
    },
    end() {
      try {
        usage = dialect.usageOf(JSON.parse(Buffer.concat(pieces).toString()));
        if (Object.keys(usage).length > 0) onGrowth();
      } catch {
        // No JSON after all, or more of it than is read: its cost stays unknown.
      }
      pieces = [];
    },
    usage: () => usage,
  };
}
