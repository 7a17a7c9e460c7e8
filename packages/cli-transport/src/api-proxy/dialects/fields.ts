import type { Usage } from '@atelier/engine';

/** A member of what may be an object; undefined for anything else. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** A number of tokens; undefined for what is none, so that it stays unknown. */
export const tokens = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const bytes = (value: unknown): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : 0;

/** Without what is not known. */
export const knownOf = (usage: Readonly<Record<keyof Usage, number | undefined>>): Usage =>
  Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== undefined));

/** A name; undefined for what is none. */
export const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
