/** A caller's mistake, or a reservation that does not fit. */
export class BudgetError extends Error {
  override readonly name: string = 'BudgetError';
  readonly code: 'INVALID_BUDGET' | 'BUDGET_EXCEEDED';
  readonly hint: string;

  constructor(code: BudgetError['code'], message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
