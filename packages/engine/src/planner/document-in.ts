import { printable } from '@atelier/envelope';

/** What a text holds, or in one line why it holds nothing. */
export type FoundDocument =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly detail: string };

/** Bytes of UTF-8 of a proposal that are looked at. */
const LARGEST = 1024 * 1024;

/** Lists and objects within each other: as deep as a plan file may be. */
const DEEPEST = 100;

/** Keys that stand for something else where objects are built from others. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The JSON document of an agent's text: the text as a whole, else its last fenced block. It is parsed and never run;
 * one that is too large, too deep, or has a key that reaches for a prototype is not taken. Never throws.
 */
export function documentIn(text: string): FoundDocument {
  if (text.length > LARGEST || new TextEncoder().encode(text).length > LARGEST)
    return none('it is larger than 1 MiB');
  const whole = text.trim();
  if (whole === '') return none('it is empty');
  const read = parsed(whole);
  if (read.ok) return read;
  const block = lastBlock(whole);
  return block === undefined ? read : parsed(block);
}

const none = (detail: string): FoundDocument => ({ ok: false, detail });

function parsed(text: string): FoundDocument {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no reason given';
    return none(`it is not valid JSON: ${printable(why, 200)}`);
  }
  if (typeof document !== 'object' || document === null)
    return none('it is JSON, but neither an object nor a list');
  const fault = faultOf(document);
  return fault === undefined ? { ok: true, document } : none(fault);
}

/** Level by level, so that no depth can exhaust the stack. */
function faultOf(document: object): string | undefined {
  let level: readonly object[] = [document];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep`;
    const below: object[] = [];
    for (const node of level) {
      for (const [key, value] of Object.entries(node)) {
        if (PROTOTYPE_KEYS.has(key)) return `it has the key ${key}, which no plan may have`;
        if (typeof value === 'object' && value !== null) below.push(value);
      }
    }
    level = below;
  }
  return undefined;
}

/** Fences are lines of their own: JSON has no bare line break inside its texts, so none of them can be one. */
function lastBlock(text: string): string | undefined {
  let block: string | undefined;
  let open: string[] | undefined;
  for (const line of text.split(/\r\n|\n|\r/u)) {
    const isFence = /^\s*```[a-z]*\s*$/iu.test(line);
    if (!isFence) open?.push(line);
    else if (open) {
      block = open.join('\n');
      open = undefined;
    } else open = [];
  }
  return block;
}
