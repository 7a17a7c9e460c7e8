/** What the walls let through, beside the system's own programs and libraries. Absolute paths that exist. */
export interface Access {
  /** A git worktree, the only writable part of the project; its `.git` is not. Not a symlink. */
  readonly worktree: string;
  /** The worktree can not be written either. */
  readonly readOnly?: boolean;
  /**
   * Files and folders inside the worktree that can not be written: not the bytes behind a hard link in them, either.
   * A symlink, or a path over one, is refused. The folder above one can be renamed, which takes the closed one along.
   */
  readonly frozen?: readonly string[];
  /** A private HOME, writable, empty at the start of an attempt. */
  readonly home: string;
  /** Files and folders that may be read, at their own paths. */
  readonly read: readonly string[];
  /** Files and folders that may be written, at their own paths. */
  readonly write: readonly string[];
  /**
   * Unix sockets of the host, or folders that hold nothing else, and where they appear inside. A socket that is made anew
   * under the same name is reached through its folder only.
   */
  readonly sockets: readonly SocketAccess[];
}

export interface SocketAccess {
  readonly outside: string;
  readonly inside: string;
}
