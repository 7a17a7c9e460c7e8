/** One JSON-RPC request that arrived, in order. */
export interface RecordedCall {
  /** Undefined for one that opens a session, and for a session's end the id that ends. */
  readonly session: string | undefined;
  /** `DELETE` is the end of a session. */
  readonly method: string;
  readonly tool?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** What the server does instead of answering one call. */
export type Fault =
  /** Takes it and says nothing until the server is closed. */
  | 'hang'
  /** Cuts the connection. */
  | 'reset'
  /** The tool fails, with this code. */
  | { readonly code: string }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };
