import type { AttemptReport, WorkOrder } from '@atelier/engine';
import type { Bridge } from './bridge.ts';
import type { CallFile } from './call-file.ts';
import type { OutputReader } from './output-reader.ts';

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
  /** Ports at which the program finds a socket; for one that knows no Unix sockets. */
  readonly bridges?: readonly Bridge[];
  /** Written before the program starts; it finds them where `callFilePath` says. */
  readonly files?: readonly CallFile[];
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
  /** Its calls have bridges, so the relay program is asked for beforehand. */
  readonly needsBridge?: boolean;
  /** It does what it likes without asking: refused where no walls stand around it. */
  readonly needsWalls?: boolean;
  /** Once per run, before any charge. Rejects with a coded error that names what is missing and the way out. */
  preflight?(): Promise<void>;
  call(order: WorkOrder, place: AttemptPlace): AgentCall;
  /** A reader of its standard output for one attempt: for live signals, and for the usage of one that is cut short. */
  follow?(order: WorkOrder): OutputReader;
  /** The complete reply in what is there so far, without judging it; undefined while there is none. */
  replyIn(output: AgentOutput, order: WorkOrder): unknown;
  /** What the end of the process amounts to. */
  report(exit: AgentExit, order: WorkOrder): AttemptReport;
}
