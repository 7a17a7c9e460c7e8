const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The milliseconds that a text such as `90s`, `30m` or `1.5h` names; undefined when it names none. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/u.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}
