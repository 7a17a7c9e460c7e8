/** Characters of a reply that are looked at. */
const LONGEST = 1024 * 1024;

/** What an agent said in its turn, as data, or in words why that is nothing. Parsed and never run; it never throws. */
export function readTurn(
  text: string,
): { readonly ok: true; readonly said: object } | { readonly ok: false; readonly fault: string } {
  if (text.length > LONGEST) return { ok: false, fault: 'the turn is longer than 1 MiB' };
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said === 'object' && said !== null && !Array.isArray(said) && saysIn(said))
      return { ok: true, said };
  } catch {
    // It is no JSON.
  }
  return { ok: false, fault: 'the turn is no JSON object with a text under "says"' };
}

/** The words of a turn. */
export function saysIn(said: object): string {
  const { says } = said as { readonly says?: unknown };
  return typeof says === 'string' ? says.trim() : '';
}
