/**
 * What a briefing is made of. Every text in it is foreign and goes into a fence, but for `procedure` and the persona.
 */
export interface BriefingInput {
  readonly task: BriefedTask;
  /** This attempt, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** How long an attempt may take; the same for all tasks of a run. Absent: it is not told. */
  readonly wallClockMs?: number;
  readonly handIn: HandIn;
  /** The chat that people watch the run in; absent without one, and the briefing then has the same bytes as ever. */
  readonly chat?: TeamChat;
  /** How the phase of this task is gone about: the host's own text, trusted like the persona. */
  readonly procedure?: string;
  readonly wave?: WaveFacts;
  readonly previous?: PreviousAttempt;
  /** What this attempt is to judge, if that is its task: then it may write nothing, whatever its task says. */
  readonly review?: WorkUnderReview;
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
  /** The plan's label; some ask for the smallest change. */
  readonly phase?: string;
  /** The operator's own text, trusted: it stands outside every fence. Never a text that a plan brought along. */
  readonly persona?: string;
}

/** A chat in which the host posts for the workers of a run. */
export interface TeamChat {
  readonly channel: string;
  /** The longest message, in UTF-16 units. */
  readonly maxBody: number;
}

/** When the task is done, and beside what. No deadline: a briefing is compared by its bytes. */
export interface WaveFacts {
  /** The wave's number in the plan. */
  readonly group: number;
  /** Ids of other tasks of the wave, in any order. With them a briefing changes when the rest of the plan does. */
  readonly peers?: readonly (string | number)[];
}

/** The attempt of this task that came before. */
export interface PreviousAttempt {
  /** How it ended: cause and detail. */
  readonly summary: string;
  /** What a reviewer or a command found. */
  readonly findings?: string;
  /** What its worker noted for the next one. */
  readonly notes?: string;
  /** Where what it left is kept in git. */
  readonly ref?: string;
  /** What it left is in the folder of this attempt, as far as it still applies. */
  readonly continued?: boolean;
}

/** Work that waits for a verdict. */
export interface WorkUnderReview {
  readonly taskId: string | number;
  readonly attempt: number;
  /** What was asked, as the plan has it. */
  readonly title?: string;
  readonly description?: string;
  readonly acceptance?: string;
  /** What the author says of it. */
  readonly notes?: string;
  /** In any order. */
  readonly files: readonly { readonly path: string; readonly status: ChangeStatus }[];
  /** Changed files beyond these. */
  readonly omitted?: number;
  /** The commits before and after the work, as full hashes in lower case; what is none is not told. */
  readonly base: string;
  readonly commit?: string;
  /** Shows the changes where `git diff` alone would not. */
  readonly diffCommand?: string;
}

/** What became of a changed file. A renamed one is deleted and added. */
export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'type-changed';

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
