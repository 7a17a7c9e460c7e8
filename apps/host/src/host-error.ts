/** A refusal before anything was dispatched. Told apart by `code`. */
export class HostError extends Error {
  override readonly name: string = 'HostError';
  readonly code: string;
  /** The way out. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** An error of any package that tells its user what to do, as all coded errors here do. */
export interface CodedError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Recognised by shape: two copies of a package must not matter. */
export function asCodedError(error: unknown): CodedError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, hint } = error as Partial<CodedError>;
  return typeof code === 'string' && typeof hint === 'string'
    ? { code, hint, message: error.message }
    : undefined;
}
