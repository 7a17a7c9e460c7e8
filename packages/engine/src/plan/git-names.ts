/** Names of git's own folder: as it is, and as Windows shortens it. */
const NAMES = ['.git', 'git~1'] as const;

/**
 * Whether a path has a part that the most forgiving file system takes for `.git`: whatever its case, compatible forms,
 * unseen characters, and dots or spaces at its end. Of a pattern every text that its braces and brackets spell counts;
 * what `*`, `?` and `[!…]` might stand for does not, since `**` names nothing. Linear in the path.
 */
export const namesGit = (path: string, isPattern: boolean): boolean =>
  /^[ -~]*$/u.test(path) && !(isPattern && /[[{\\]/u.test(path))
    ? /(^|\/)(\.git|git~1)[. ]*(\/|$)/iu.test(path)
    : NAMES.some((name) => hasPart(path, name, isPattern));

/**
 * How far a part can have come, as a set of bits: bit n for its first n characters, up to all of them. No bit is set
 * where it can not be the name any more.
 */
type Progress = number;

const START: Progress = 1;

function hasPart(path: string, name: string, isPattern: boolean): boolean {
  const end = 1 << name.length;
  const around: { readonly before: Progress; after: Progress }[] = [];
  let now = START;
  let found = false;
  const step = (isNext: (character: string) => boolean) => {
    let next = 0;
    for (let at = 0; at < name.length; at += 1)
      if (now & (1 << at) && isNext(name.charAt(at))) next |= 1 << (at + 1);
    now = next;
  };
  const read = (text: string) => {
    for (const character of plain(text)) {
      const ends = character === '.' || character === ' ' ? now & end : 0;
      step((expected) => expected === character);
      now |= ends;
    }
  };
  for (let at = 0; at < path.length; ) {
    const text = String.fromCodePoint(path.codePointAt(at) ?? 0);
    const group = isPattern ? around.at(-1) : undefined;
    at += text.length;
    if (text === '/') {
      found ||= (now & end) > 0;
      now = START;
    } else if (!isPattern) {
      if (now !== 0) read(text);
    } else if (text === '{') around.push({ before: now, after: 0 });
    else if (text === ',' && group) {
      group.after |= now;
      now = group.before;
    } else if (text === '}' && group) {
      now |= group.after;
      around.pop();
    } else if (now === 0) continue;
    else if (text === '*' || text === '?') now = 0;
    else if (text === '[') {
      const members = membersAt(path, at);
      if (members === undefined) now = 0;
      else {
        step((expected) => members.holds(expected));
        at += members.length;
      }
    } else if (text !== '\\') read(text);
  }
  for (const { after } of around) now |= after;
  return found || (now & end) > 0;
}

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const plain = (character: string): string =>
  character <= '~'
    ? character.toLowerCase()
    : character.normalize('NFKC').replaceAll(IGNORABLE, '').toLowerCase();

/** What stands in brackets and ends them. The first may be a bracket; more than so many name no one character. */
const CLASS = /(?![!^])([^/][^\]/]{0,31})\]/uy;

/** Undefined for brackets that stand for themselves or for what is not in them. */
function membersAt(
  path: string,
  at: number,
): { readonly length: number; readonly holds: (character: string) => boolean } | undefined {
  CLASS.lastIndex = at;
  const [whole, inside = ''] = CLASS.exec(path) ?? [];
  if (whole === undefined) return undefined;
  const texts = [...inside].map(plain);
  return {
    length: whole.length,
    holds: (character) =>
      texts.some(
        (text, index) =>
          text === character ||
          (texts[index + 1] === '-' && text <= character && character <= (texts[index + 2] ?? '')),
      ),
  };
}
