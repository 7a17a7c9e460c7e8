/** A name, or what it begins and ends with. */
export type Ends = { readonly whole: string } | { readonly begin: string; readonly end: string };

/** Names that are asked for by what they begin and end with. */
export interface NameEnds {
  add(ends: Ends | undefined): void;
  /** Whether one of these names is among them. */
  endAny(names: readonly string[]): boolean;
}

/** No file system has longer ones. */
const LONGEST = 255;

/** Linear in the names; what it takes for one grows with the different lengths of what was added, not with its number. */
export function nameEnds(): NameEnds {
  const whole = new Set<string>();
  /** By how long its beginning and its end are. */
  const ends = new Map<string, { begin: number; end: number; texts: Set<string> }>();
  return {
    add(given) {
      if (!given) return;
      if ('whole' in given) {
        whole.add(given.whole);
        return;
      }
      const { begin, end } = given;
      const lengths = `${begin.length}.${end.length}`;
      const known = ends.get(lengths) ?? {
        ...{ begin: begin.length, end: end.length },
        texts: new Set<string>(),
      };
      known.texts.add(`${begin}/${end}`);
      ends.set(lengths, known);
    },
    endAny: (names) =>
      names.some((name) => {
        if (whole.has(name)) return true;
        if (name.length > LONGEST) return false;
        for (const { begin, end, texts } of ends.values())
          if (
            begin + end <= name.length &&
            texts.has(`${name.slice(0, begin)}/${name.slice(name.length - end)}`)
          )
            return true;
        return false;
      }),
  };
}
