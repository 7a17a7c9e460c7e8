/** What the sandbox refuses or can not do. Told apart by `code`, never by `instanceof`. */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError';
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

/** A path of the access that would leave a hole, or leads nowhere: `SANDBOX_ACCESS`. */
export const refused = (message: string, hint: string, cause?: unknown): SandboxError =>
  new SandboxError('SANDBOX_ACCESS', message, hint, cause);

/** No walls on this host: `SANDBOX_UNAVAILABLE`. */
export const unavailable = (message: string, hint: string): SandboxError =>
  new SandboxError('SANDBOX_UNAVAILABLE', message, hint);
