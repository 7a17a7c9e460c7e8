import { boundedText } from '../bounded-text.ts';
import { isObject, type JsonObject, textAt } from '../json-object.ts';
import type { Turn } from './meeting-log.ts';
import type { Stand } from './tally.ts';

/** What a participant said in one turn. */
export interface Contribution {
  readonly says: string;
  /** Where it stands to what the meeting is about; undefined where it does not say. */
  readonly stand: Stand | undefined;
  readonly decisions: readonly string[];
  readonly openPoints: readonly string[];
}

const SAYS = 4000;

const POINT = 500;

const POINTS = 20;

/**
 * What an agent answered, as a contribution: `{ says, stand?, decisions?, open_points? }`. The rest of the answer is
 * dropped, and so is what is too much; undefined for one that says nothing. Never throws, whatever it is.
 */
export function parseContribution(answer: unknown): Contribution | undefined {
  try {
    if (!isObject(answer)) return undefined;
    const { says, stand, decisions, open_points } = answer;
    if (typeof says !== 'string' || says.trim() === '') return undefined;
    return {
      says: boundedText(says, SAYS),
      stand: isStand(stand) ? stand : undefined,
      decisions: points(decisions),
      openPoints: points(open_points),
    };
  } catch {
    return undefined;
  }
}

/** A contribution as the body of a message. */
export const contributionBody = ({
  says,
  stand,
  decisions,
  openPoints,
}: Contribution): JsonObject => ({
  says,
  ...(stand === undefined ? {} : { stand }),
  ...(decisions.length === 0 ? {} : { decisions }),
  ...(openPoints.length === 0 ? {} : { open_points: openPoints }),
});

/** What a turn of the log contributes, read as strictly as it was written. */
export const contributionOf = ({ body }: Turn): Contribution | undefined =>
  body === null ? undefined : parseContribution(body);

/** What a turn says in one text, whoever wrote it. */
export const wordsOfTurn = ({ body }: Turn): string =>
  body === null ? '(lost)' : (textAt(body, 'says') ?? JSON.stringify(body));

const isStand = (value: unknown): value is Stand =>
  value === 'agree' || value === 'object' || value === 'abstain';

function points(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, POINTS)
    .filter((point): point is string => typeof point === 'string' && point.trim() !== '')
    .map((point) => boundedText(point.trim(), POINT));
}
