import { printable } from '@atelier/envelope';

const ASCII = /^[\x20-\x7e]*$/u;

/**
 * A name or a path as JSON text on one line. Unlike a sanitised text it is exact: a worker that decodes it has the
 * original, half surrogate pairs and all, and yet nothing in it hides or reorders text.
 */
export function literal(name: string | number): string {
  const json = JSON.stringify(String(name));
  return ASCII.test(json) ? json : [...json].map(escaped).join('');
}

function escaped(character: string): string {
  if (printable(character) === character) return character;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
