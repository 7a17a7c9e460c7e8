import { StoreError } from './error.ts';

/** Text for a column that people read. UTF-8 has no lone surrogates: each becomes U+FFFD. */
export const displayText = (text: string): string => text.toWellFormed();

/** Text for a column that rows are found by: as it is, or escaped where UTF-8 would merge two keys into one. */
export const keyText = (key: string): string => (key.isWellFormed() ? key : JSON.stringify(key));

/** A value as JSON text, exact for every string. Throws `STORE_NOT_JSON` for what JSON can not hold. */
export function jsonText(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    throw notJson(error);
  }
  throw notJson();
}

/** {@link jsonText} of an optional value; null where it is absent. */
export const optionalJsonText = (value: unknown): string | null =>
  value === undefined ? null : jsonText(value);

const notJson = (cause?: unknown): StoreError =>
  new StoreError(
    'STORE_NOT_JSON',
    'there is a value that JSON can not hold',
    'Nothing was written. Hand in plain data: no cycles, no bigints, no functions.',
    cause,
  );
