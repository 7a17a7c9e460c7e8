/** Sorts texts by UTF-16 unit: the same on every machine, which a locale's order is not. */
export const textOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
