const NOTHING: ReadonlySet<string> = new Set();

/** What can not change is told once. */
const remembered = new WeakMap<object, string>();

/**
 * A value as text, which is the same exactly when the value is: maps and sets too, in their order. Without the named
 * keys, of the outermost object alone and only if it is not frozen.
 */
export function textOf(value: unknown, leftOut: ReadonlySet<string> = NOTHING): string {
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (!Object.isFrozen(value)) return told(value, leftOut);
  const known = remembered.get(value) ?? told(value, NOTHING);
  remembered.set(value, known);
  return known;
}

function told(value: object, leftOut: ReadonlySet<string>): string {
  let text = '';
  if (Array.isArray(value) || value instanceof Set) {
    for (const part of value) text += `${textOf(part)},`;
    return value instanceof Set ? `s[${text}]` : `[${text}]`;
  }
  if (value instanceof Map) {
    for (const [key, part] of value) text += `${textOf(key)}:${textOf(part)},`;
    return `m{${text}}`;
  }
  // The keys of an object have no order that counts: what is deleted and set again comes last.
  for (const key of Object.keys(value).sort()) {
    if (leftOut.has(key)) continue;
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) text += `${key}:${textOf(part)},`;
  }
  return `{${text}}`;
}
