/** The caller's mistake, or a journal that can not write. Told apart by `code`, never by `instanceof`. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
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
