const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Foreign text for one line of a message: bounded, control and format characters shown as escapes. */
export function shown(text: string, maxLength: number = 200): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(UNSAFE, escaped);
}

/** {@link shown}, in double quotes: for paths. */
export const quoted = (text: string): string => `"${shown(text)}"`;
