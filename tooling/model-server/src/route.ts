/** Token counts of a message, where a turn wants other ones than the default. */
export interface TurnUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
}

/**
 * What the model does with one request. Strings may hold `{{cwd}}`, `{{task_id}}` and `{{attempt}}`, which are read
 * from the prompt. A `reply` calls the structured output tool; the kind and the identity of the envelope are filled in
 * where the turn leaves them out.
 */
export type Turn =
  | {
      readonly kind: 'say';
      readonly text: string;
      readonly usage?: TurnUsage;
      /** Why the message ends; by itself, when absent. */
      readonly stop?: 'refusal' | 'max_tokens';
    }
  | {
      readonly kind: 'use';
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly usage?: TurnUsage;
    }
  | {
      readonly kind: 'reply';
      readonly envelope: Readonly<Record<string, unknown>>;
      readonly usage?: TurnUsage;
    }
  | {
      readonly kind: 'fail';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Goes silent and keeps the connection. */
  | { readonly kind: 'stall'; readonly after: 'nothing' | 'headers' | 'half' }
  /** Resets the connection. */
  | { readonly kind: 'drop'; readonly after: 'nothing' | 'half' }
  /** A success whose body is none of the API's. */
  | { readonly kind: 'garbage'; readonly body: string };

/** A conversation, chosen by a marker in the prompt. Every request of a session uses one turn; the last one repeats. */
export interface Route {
  /** The text that a prompt of this route holds. */
  readonly marker: string;
  readonly turns: readonly [Turn, ...Turn[]];
}
