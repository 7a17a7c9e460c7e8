import type { AttemptReport, WorkOrder } from '@atelier/engine';

/** Where one attempt lives on the host's disk. All absolute paths. */
export interface AttemptPlace {
  readonly worktree: string;
  readonly home: string;
  /** Writable from inside: where a `command` agent leaves its reply. */
  readonly replyFile: string;
}

/** The call of an agent's program for one attempt. */
export interface AgentCall {
  /** A program name or an absolute path; resolved on the host's PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** Added to the clean environment of the transport. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to the program's standard input, which is then closed. */
  readonly stdin: string;
  readonly read?: readonly string[];
  readonly sockets?: readonly { readonly outside: string; readonly inside: string }[];
}

/** What a process of an agent has left behind so far. Texts are untrusted. */
export interface AgentOutput {
  /** At most the output cap of the transport. */
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes of the reply file as text; undefined when there is none. */
  readonly replyText: string | undefined;
  /** Bytes written to stdout, also beyond what is kept. */
  readonly stdoutBytes: number;
}

/** How a process ended. Exactly one of code and signal, unless we ended it. */
export interface AgentExit extends AgentOutput {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** We ended it after its complete reply was there: the reply counts, whatever the exit. */
  readonly endedAfterReply: boolean;
}

/** One kind of agent program: how it is called, and how its output reads. Pure but for `preflight`. */
export interface Agent {
  readonly name: string;
  /** Once per run, before any charge. Rejects with a coded error that names what is missing and the way out. */
  preflight?(): Promise<void>;
  call(order: WorkOrder, place: AttemptPlace): AgentCall;
  /** The complete reply in what is there so far, without judging it; undefined while there is none. */
  replyIn(output: AgentOutput, order: WorkOrder): unknown;
  /** What the end of the process amounts to. */
  report(exit: AgentExit, order: WorkOrder): AttemptReport;
}
