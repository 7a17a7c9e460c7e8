const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/**
 * The whole bytes that a text such as `500MB`, `1.5 GiB` or `0` names, in powers of a thousand or, with an `i`, of
 * 1024; undefined when it names none. A bare `M` or `G` is none: people mean either by it.
 */
export function byteSize(text: string): number | undefined {
  const [, amount, unit = ''] =
    /^(\d{1,15}(?:\.\d{1,3})?) ?([a-z]{0,3})$/u.exec(text.trim().toLowerCase()) ?? [];
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  return amount === undefined || factor === undefined
    ? undefined
    : Math.floor(Number(amount) * factor);
}
