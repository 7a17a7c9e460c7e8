/** Controls, format and bidi characters, line separators, and whatever draws nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What may be shown to people: line breaks and tabs stay, what moves a cursor, hides or reorders text goes. */
export const chatText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(HIDDEN, (character) => (/[\n\t]/.test(character) ? character : ''));

/** The same on one line, of at most so many UTF-16 units; what was cut ends in an ellipsis. */
export function chatLine(text: string, maxUnits: number): string {
  // Foreign text of any length: no more of it is looked at than could be shown.
  const line = chatText(text.slice(0, maxUnits * 4))
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= maxUnits && text.length <= maxUnits * 4) return line;
  if (maxUnits < 1) return '';
  // A pair that the cut would split goes as a whole.
  const cut = line.slice(0, maxUnits - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut}…`;
}
