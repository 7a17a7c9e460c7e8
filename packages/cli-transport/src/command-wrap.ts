/** A program call. `env` is the whole environment that the program gets. */
export interface Command {
  /** An absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What the walls let through, beside the system's own programs and libraries. Absolute paths. */
export interface Access {
  /** The only writable part of the project; its `.git` pointer is not. */
  readonly worktree: string;
  /** The worktree can not be written either. */
  readonly readOnly?: boolean;
  /** Files and folders inside the worktree that can not be written. */
  readonly frozen?: readonly string[];
  /** A private HOME, writable, empty at the start of an attempt. */
  readonly home: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Unix sockets of the host, and where they appear inside. */
  readonly sockets: readonly { readonly outside: string; readonly inside: string }[];
}

/**
 * The outcome of really trying to get out: at least by `write-outside`, `read-secret`, `git-pointer` and `network`. One
 * that has also tried `survive-the-supervisor` says that what it wraps dies with whoever spawned it.
 */
export interface Attestation {
  readonly passed: boolean;
  /** The process that tried; an attestation of another one does not count. */
  readonly pid: number;
  readonly probes: readonly {
    readonly name: string;
    readonly held: boolean;
    readonly detail: string;
  }[];
}

/** Puts a command behind walls. Structural: any sandbox that can attest to itself fits. */
export interface CommandWrap {
  /** For example `bwrap` or `seatbelt`. */
  readonly kind: string;
  /** The command that runs the given one confined; its arguments end with the given command. */
  wrap(command: Command, access: Access): Command;
  /** The last self-test of this sandbox in this process, if there was one. */
  attestation(): Attestation | undefined;
}
