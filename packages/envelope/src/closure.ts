/** The four words a reply may end an attempt with; any other word is an invalid status. */
export const CLOSURE_TOKENS = ['done', 'blocked', 'abandoned', 'needs-input'] as const;
Object.freeze(CLOSURE_TOKENS);

/** The word a reply ends its attempt with. */
export type ClosureToken = (typeof CLOSURE_TOKENS)[number];

/** The closures that also end the task; the other two leave it held. */
export const TERMINAL_ONLY = ['done', 'abandoned'] as const;
Object.freeze(TERMINAL_ONLY);

/** Compares without any folding: `Done` is not a closure. */
export function isClosureToken(value: unknown): value is ClosureToken {
  return CLOSURE_TOKENS.some((token) => token === value);
}
