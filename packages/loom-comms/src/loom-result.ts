/**
 * Why a call did not do what it was for. `code` is the chat's own word, a number of JSON-RPC or a status of HTTP as
 * text, or one of ours: `TIMEOUT`, `CLOSED`, `ABORTED`, `MALFORMED`, `BUDGET_SPENT`, `BREAKER_OPEN`, `SESSION_LIMIT`.
 * The message is foreign text, on one line.
 */
export interface LoomError {
  readonly kind: 'http' | 'rpc' | 'tool' | 'timeout' | 'closed';
  readonly code: string;
  readonly message: string;
  /** The server's wish, where it says one. */
  readonly retryAfterMs?: number;
}

export type LoomResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: LoomError };

export const done = <T>(value: T): LoomResult<T> => ({ ok: true, value });

export const failed = (
  kind: LoomError['kind'],
  code: string,
  message: string,
): { readonly ok: false; readonly error: LoomError } => ({
  ok: false,
  error: { kind, code, message },
});
