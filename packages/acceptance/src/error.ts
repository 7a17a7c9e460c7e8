/** What the caller or the plan makes impossible. Told apart by `code`, never by `instanceof`. */
export class AcceptanceError extends Error {
  override readonly name: string = 'AcceptanceError';
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
