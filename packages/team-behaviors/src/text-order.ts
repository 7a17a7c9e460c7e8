/** By code point, as SQLite and most languages sort text; UTF-16 units would put rare characters elsewhere. */
export function byCodePoint(one: string, other: string): number {
  const left = [...one];
  const right = [...other];
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const step = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (step !== 0) return step;
  }
  return left.length - right.length;
}
