import { composeMeetingBriefing } from '@atelier/briefing';
import type { Parking, RunOptions } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { GENERIC_WORKER, type Question, type Roster } from '@atelier/team-behaviors';
import { midRun } from '../mid-run.ts';
import { oneAttempt } from '../planner/one-attempt.ts';
import type { Reading } from '../planner/reading.ts';
import { aboutTurn, type TurnRuns, turnTask } from './turn-run.ts';
import { readTurn, saysIn } from './turn-text.ts';

export interface SpeakingOptions {
  readonly reading: Reading;
  readonly turns: TurnRuns;
  readonly teamId: string;
  readonly roster: Roster;
  /** What the meeting is about, in lines. */
  readonly topic: readonly string[];
  /** Aborted when the meeting is to stop. */
  readonly stop: AbortSignal;
  /** Told what somebody says: untrusted. */
  readonly onSaid?: ((speaker: string, says: string) => void) | undefined;
  /** Told which run a turn is, before it begins. */
  readonly onTurn: (line: string) => void;
}

/** The members of a meeting as agents, and what became of them. */
export interface Speaking {
  /** One turn by one attempt; undefined when it failed. */
  speak(question: Question, wallClockMs: number): Promise<object | undefined>;
  /** Aborted when nobody is to be asked any more. */
  readonly signal: AbortSignal;
  /** The runs of the turns, in order. */
  readonly runs: readonly string[];
  /** Why nobody is to be asked for now. */
  parking(): Parking | undefined;
  /** Throws what kept a turn from being recorded. */
  assertRecorded(): void;
}

export function speaking(options: SpeakingOptions): Speaking {
  const { reading, turns, teamId } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, options.stop]);
  const runs: string[] = [];
  let parking: Parking | undefined;
  const faults: unknown[] = [];

  const attempt = async (question: Question, wallClockMs: number) => {
    const task = turnTask(question);
    parking = reading.shortage(task);
    if (parking) {
      over.abort();
      return undefined;
    }
    const runId = turns.next();
    runs.push(runId);
    options.onTurn(`round ${question.round}, ${printable(question.speaker, 64)}: run ${runId}`);
    const end = await oneAttempt({
      ...{ runId, task, policy: { wallClockMs } },
      judge: (text) => {
        const turn = readTurn(text);
        return turn.ok ? undefined : turn.fault;
      },
      seams: {
        ...reading.seamsOf(runId, task),
        ...{ signal, briefing: briefingOf(question, options, wallClockMs) },
        about: { ...aboutTurn(question, teamId), ...reading.about },
      },
    }).catch((error: unknown) => {
      // A record that can not be kept is no failure of who speaks.
      faults.push(midRun(error));
      over.abort();
      throw error;
    });
    if (end.parking) {
      parking = end.parking;
      over.abort();
    }
    return end.fault === undefined ? end.text : undefined;
  };

  return {
    ...{ signal, runs },
    async speak(question, wallClockMs) {
      const text = (await turns.saidIn(question)) ?? (await attempt(question, wallClockMs));
      const turn = text === undefined ? undefined : readTurn(text);
      if (!turn?.ok) return undefined;
      options.onSaid?.(question.speaker, saysIn(turn.said));
      return turn.said;
    },
    parking: () => parking,
    assertRecorded() {
      for (const fault of faults) throw fault;
    },
  };
}

const briefingOf =
  (
    { speaker, round, transcript }: Question,
    { reading, topic, roster }: SpeakingOptions,
    wallClockMs: number,
  ): NonNullable<RunOptions['briefing']> =>
  ({ task, attempt }) =>
    composeMeetingBriefing({
      ...{ speaker, round, transcript, topic: topic.join('\n') },
      profile: roster.get(speaker)?.profile ?? GENERIC_WORKER.profile,
      ...{ taskId: String(task.id), attempt, wallClockMs, handIn: reading.handIn },
    });
