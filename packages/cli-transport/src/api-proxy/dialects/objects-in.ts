/**
 * Every object of a JSON value, itself included, but not those below the given names, which hold what is free in form.
 * However deep it is.
 */
export function* objectsIn(
  value: unknown,
  without: ReadonlySet<string>,
): Generator<Readonly<Record<string, unknown>>> {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const one of next) waiting.push(one);
      continue;
    }
    yield next as Readonly<Record<string, unknown>>;
    for (const [name, member] of Object.entries(next))
      if (typeof member === 'object' && member !== null && !without.has(name)) waiting.push(member);
  }
}
