/** What git, a clone or a caller makes impossible. Told apart by `code`, never by `instanceof`. */
export class WorktreeError extends Error {
  override readonly name: string = 'WorktreeError';
  /** Stable, upper snake case. */
  readonly code: string;
  /** What the caller can do about it. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}

/** The stable code of a thrown value, if it has one. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
