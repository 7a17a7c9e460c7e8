import type { LoomResult } from './loom-result.ts';

export interface OpenedSession {
  readonly id: string;
  /** What the server calls itself; foreign text. */
  readonly serverName: string;
}

/** The wire to a chat server. Nothing here throws or rejects, and every call settles within its limit. */
export interface LoomTransport {
  open(limitMs: number): Promise<LoomResult<OpenedSession>>;
  /** A JSON-RPC request; the value is its `result`. */
  request(
    session: string,
    request: { readonly method: string; readonly params?: object },
    limitMs: number,
  ): Promise<LoomResult<unknown>>;
  /** Gives the session's slot back. */
  close(session: string, limitMs: number): Promise<LoomResult<unknown>>;
}
