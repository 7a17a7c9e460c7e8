/** The caller's mistake. Told apart by `code`, never by `instanceof`. */
export class LoomCommsError extends TypeError {
  override readonly name: string = 'LoomCommsError';
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
