/** The caller's mistake, or a machine that can not run workers. Told apart by `code`, never by `instanceof`. */
export class CliTransportError extends Error {
  override readonly name: string = 'CliTransportError';
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
