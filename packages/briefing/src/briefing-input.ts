/** What a briefing is made of. Every text in it is foreign and goes into a fence, but for the persona. */
export interface BriefingInput {
  readonly task: BriefedTask;
  /** This attempt, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly handIn: HandIn;
  readonly previous?: PreviousAttempt;
  /** In any order; they are sorted by id. */
  readonly upstream?: readonly UpstreamWork[];
  /** In the order they were given, the latest last. */
  readonly answers?: readonly Answer[];
}

/** How the worker delivers its reply: the same for all tasks of a run that share an agent. */
export type HandIn = 'reply-file' | 'structured-output';

/** The part of a task that its worker is told. Keys are spelled as in plan files. */
export interface BriefedTask {
  readonly id: string | number;
  readonly title?: string;
  readonly description?: string;
  readonly acceptance?: string;
  /** Absent: anything but protected paths. Empty: nothing. */
  readonly writes?: readonly string[];
  readonly must_produce?: readonly string[];
  readonly reads?: readonly string[];
  readonly verify?: string;
  /** The operator's own text, trusted: it stands outside every fence. Never a text that a plan brought along. */
  readonly persona?: string;
}

/** The attempt of this task that came before. */
export interface PreviousAttempt {
  /** How it ended: cause and detail. */
  readonly summary: string;
  /** Where what it left is kept in git. */
  readonly ref?: string;
}

/** What a task that this one builds on delivered. */
export interface UpstreamWork {
  readonly taskId: string | number;
  readonly notes?: string;
  readonly artifacts: readonly string[];
}

/** What a person answered to a question of an earlier attempt. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
}
