/** The caller's mistake, or what may not be done. Told apart by `code`, never by `instanceof`. */
export class TeamError extends Error {
  override readonly name: string = 'TeamError';
  /** Stable, upper snake case. */
  readonly code: string;
  /** What the caller can do about it. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
