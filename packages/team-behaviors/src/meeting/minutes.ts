import { boundedText, givenText } from '../bounded-text.ts';
import { type JsonObject, textAt } from '../json-object.ts';
import type { PartialReason } from './backstop.ts';
import type { Turn } from './meeting-log.ts';

/** How a meeting is closed. */
export interface Closing {
  /** What it came to. Also after a backstop: never merely that time was up. */
  readonly summary: string;
  readonly decisions?: readonly string[];
  readonly openPoints?: readonly string[];
  /** Kept with the minutes, under keys of its own: what names what the meeting was about, for a program. */
  readonly about?: JsonObject;
  /** For a backstop that an earlier process met. */
  readonly partialReason?: PartialReason;
}

/** What a meeting came to. */
export interface Minutes {
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly openPoints: readonly string[];
  readonly messageCount: number;
  /** It was ended by a backstop, not by its participants. */
  readonly partial: boolean;
  readonly partialReason: PartialReason | null;
}

const SUMMARY = 8000;

const POINT = 500;

/** Decisions or open points that are kept; the last one tells how many were not. */
const POINTS = 100;

/** Minutes as the body of a message; its keys are documented. Throws `INVALID_TEXT`. */
export function minutesBody(
  closing: Closing,
  facts: { readonly messageCount: number; readonly partialReason: PartialReason | null },
): JsonObject {
  const reason = closing.partialReason ?? facts.partialReason;
  return {
    ...closing.about,
    summary: givenText(closing.summary, 'the summary', SUMMARY),
    decisions: points(closing.decisions ?? []),
    open_points: points(closing.openPoints ?? []),
    message_count: facts.messageCount,
    partial: reason !== null,
    ...(reason === null ? {} : { partial_reason: reason }),
  };
}

/** Minutes as the log has them; what is lost or malformed there is empty. */
export function minutesOf({ body }: Turn): Minutes {
  const kept = body ?? {};
  const reason = textAt(kept, 'partial_reason');
  const count = kept['message_count'];
  return {
    summary: textAt(kept, 'summary') ?? '',
    decisions: texts(kept['decisions']),
    openPoints: texts(kept['open_points']),
    messageCount: typeof count === 'number' ? count : 0,
    partial: kept['partial'] === true,
    partialReason: reason === 'wall_clock' || reason === 'message_count' ? reason : null,
  };
}

function points(given: readonly string[]): string[] {
  const kept = given.slice(0, POINTS).map((point) => boundedText(point, POINT));
  const more = given.length - kept.length;
  return more === 0 ? kept : [...kept, `(${more} more)`];
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
