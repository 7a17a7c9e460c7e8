import type { JsonValue } from './json.ts';

/** Levels of nesting. */
export const MAX_DEPTH = 500;

/** Properties and elements in all. */
export const MAX_NODES = 1_000_000;

/** UTF-16 units in all keys and strings; a text met twice counts twice, because it is scanned twice. */
export const MAX_CHARACTERS = 100_000_000;

/** Why no snapshot could be taken. */
export type SnapshotFault = 'unreadable' | 'cyclic' | 'too-deep' | 'too-large';

/** `value` is undefined when the input itself is nothing JSON could hold. */
export type Snapshot =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly fault: SnapshotFault };

/**
 * Copies untrusted input to a plain JSON value, reading each property once, and never throws. Own enumerable string
 * keys only; what JSON can not hold is dropped from objects and null in lists, and `toJSON` is not called. Strings are
 * made well formed, except those the input holds directly under a key of `verbatim`.
 */
export function takeSnapshot(input: unknown, verbatim: ReadonlySet<string>): Snapshot {
  const ancestors = new Set<object>();
  let nodes = 0;
  let characters = 0;
  let fault: SnapshotFault = 'unreadable';

  const refuse = (reason: SnapshotFault): never => {
    fault = reason;
    throw new Error(reason);
  };

  const countNodes = (amount: number): void => {
    nodes += amount;
    if (nodes > MAX_NODES) refuse('too-large');
  };

  const readText = (text: string, repair: boolean): string => {
    characters += text.length;
    if (characters > MAX_CHARACTERS) refuse('too-large');
    return repair ? text.toWellFormed() : text;
  };

  const read = (value: unknown, repair: boolean): JsonValue | undefined => {
    if (typeof value === 'string') return readText(value, repair);
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value !== 'object' || spreadsIntoKeys(value)) return undefined;
    if (ancestors.has(value)) return refuse('cyclic');
    if (ancestors.size === MAX_DEPTH) return refuse('too-deep');
    ancestors.add(value);
    const copy = Array.isArray(value) ? readList(value) : readObject(value);
    ancestors.delete(value);
    return copy;
  };

  const readList = (list: readonly unknown[]): JsonValue[] => {
    const { length } = list;
    // A proxy may claim any length.
    if (!Number.isSafeInteger(length) || length < 0) return refuse('unreadable');
    countNodes(length);
    const copy: JsonValue[] = [];
    for (let index = 0; index < length; index += 1) copy.push(read(list[index], true) ?? null);
    return copy;
  };

  const readObject = (object: object): { [key: string]: JsonValue } => {
    const atRoot = ancestors.size === 1;
    const keys = Object.keys(object);
    countNodes(keys.length);
    const entries: [string, JsonValue][] = [];
    for (const key of keys) {
      const value = read(Reflect.get(object, key), !(atRoot && verbatim.has(key)));
      if (value !== undefined) entries.push([readText(key, true), value]);
    }
    // Unlike assignment, this makes even `__proto__` an ordinary own property.
    return Object.fromEntries(entries);
  };

  try {
    return { ok: true, value: read(input, true) };
  } catch {
    return { ok: false, fault };
  }
}

/** Binary data and boxed strings list one key per element, without having had to store them. */
function spreadsIntoKeys(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof String;
}
