/** An amount with its noun, in the singular where it is one. */
export const count = (amount: number, one: string, many: string): string =>
  `${amount} ${amount === 1 ? one : many}`;
