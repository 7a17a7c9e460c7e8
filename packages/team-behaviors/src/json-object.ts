import type { JsonValue } from '@atelier/envelope';

/** Keys such as `__proto__` or `constructor` are data like any other. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** An object from JSON text; undefined for any other text. Never throws. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Tells objects from lists, null and plain values. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object's own value under `key`, if it is a text. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
