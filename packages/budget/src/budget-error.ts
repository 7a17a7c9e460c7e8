/** A caller's mistake, or a reservation that does not fit. */
export class BudgetError extends Error {
  override readonly name: string = 'BudgetError';
  /** Stable, upper snake case. */
  readonly code: 'INVALID_BUDGET' | 'BUDGET_EXCEEDED' | 'BUDGET_KEY_TAKEN';
  /** What the caller can do about it. */
  readonly hint: string;

  constructor(code: BudgetError['code'], message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
