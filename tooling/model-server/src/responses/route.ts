/** Token counts of a response, where a turn wants other ones than the default. */
export interface ResponsesUsage {
  /** The cached ones among them. */
  readonly input_tokens?: number;
  readonly cached_tokens?: number;
  readonly output_tokens?: number;
}

/**
 * What the model does with one request of the responses API. Strings may hold `{{cwd}}`, `{{task_id}}` and
 * `{{attempt}}`, which are read from the prompt. A `reply` is a message whose whole text is the envelope; its kind and
 * its identity are filled in where the turn leaves them out.
 */
export type ResponsesTurn =
  | { readonly kind: 'say'; readonly text: string; readonly usage?: ResponsesUsage }
  /** Calls the client's shell tool. */
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly say?: string;
      readonly usage?: ResponsesUsage;
    }
  /** Calls the client's tool that runs code, which calls the other tools. */
  | { readonly kind: 'code'; readonly source: string; readonly usage?: ResponsesUsage }
  | {
      readonly kind: 'reply';
      readonly envelope: Readonly<Record<string, unknown>>;
      readonly usage?: ResponsesUsage;
    }
  /** An answer that is an error from its first byte. */
  | {
      readonly kind: 'fail';
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** More fields of the error. */
      readonly more?: Readonly<Record<string, unknown>>;
    }
  /** A stream that ends by saying that the response failed. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'stall'; readonly after: 'nothing' | 'headers' | 'half' }
  /** The connection is cut. */
  | { readonly kind: 'reset'; readonly after: 'nothing' | 'half' }
  | { readonly kind: 'garbage'; readonly text: string };

/** A conversation, chosen by a marker in the prompt. Every request of a session uses one turn; the last one repeats. */
export interface ResponsesRoute {
  /** The text that a prompt of this route holds. */
  readonly marker: string;
  readonly turns: readonly [ResponsesTurn, ...ResponsesTurn[]];
}
