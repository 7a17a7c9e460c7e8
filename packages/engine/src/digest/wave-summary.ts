import { type ClosureToken, TERMINAL_ONLY } from '@atelier/envelope';
import { compareText } from '../core/id-order.ts';
import type { OpenWave, RunState, TaskState } from '../core/state.ts';
import type { WaveReplies } from './wave-replies.ts';

/** Where a wave stands, and of a large one what its workers said, in short. Wire format; the three last keys come together. */
export interface WaveSummary {
  /** `wave-0` is the first that is not closed already. */
  readonly wave_id: string;
  /** The tasks of the wave, in the order of their code points. */
  readonly expected: readonly string[];
  /** How each that has ended did. One that was closed as held has the status it asked for. */
  readonly reports: Readonly<Record<string, ClosureToken>>;
  readonly outstanding: readonly string[];
  /** Nobody is outstanding. */
  readonly complete: boolean;
  /** Moreover, everybody reported `done` or `abandoned`. */
  readonly terminal_only: boolean;
  /** The replies are longer than the threshold. */
  readonly compressed?: true;
  /** UTF-8 bytes of the notes of all replies, and of their artifacts as JSON text. */
  readonly reply_bytes?: number;
  /** A block for each reply, in the order they came; foreign text, made harmless. */
  readonly digest?: string;
}

export function waveSummary(
  state: RunState,
  { index, keys }: OpenWave,
  { replies, thresholdBytes }: { readonly replies: WaveReplies; readonly thresholdBytes: number },
): WaveSummary {
  const expected = [...keys].sort(compareText);
  const reports = expected.flatMap((key): [string, ClosureToken][] => {
    const token = reportOf(state.tasks.get(key));
    return token ? [[key, token]] : [];
  });
  const reported = new Set(reports.map(([key]) => key));
  const terminal: ReadonlySet<string> = new Set(TERMINAL_ONLY);
  const complete = reported.size === expected.length;
  const bytes = replies.bytes();
  return {
    wave_id: `wave-${index}`,
    expected,
    reports: Object.fromEntries(reports),
    outstanding: expected.filter((key) => !reported.has(key)),
    complete,
    terminal_only: complete && reports.every(([, token]) => terminal.has(token)),
    ...(bytes > thresholdBytes
      ? { compressed: true, reply_bytes: bytes, digest: replies.digest() }
      : {}),
  };
}

function reportOf(task: TaskState | undefined): ClosureToken | undefined {
  switch (task?.phase) {
    case 'complete':
      return 'done';
    case 'abandoned':
      return 'abandoned';
    case 'held':
      return task.closure?.kind === 'held' ? task.closure.status : 'blocked';
    default:
      return undefined;
  }
}
