import { createHash } from 'node:crypto';

/** Crockford's base 32: no I, L, O or U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LENGTH = 26;

/** What a wire takes as a key. */
export const IDEMPOTENCY_KEY: RegExp = /^[0-9A-HJKMNP-TV-Z]{26}$/u;

/**
 * The key under which one logical message goes to one recipient: the low 130 bits of the SHA-256 of both. The same
 * message to the same recipient has the same key, so that a replay is stored once.
 */
export function recipientKey(baseKey: string, recipient: string): string {
  const digest = createHash('sha256').update(`${baseKey}\0${recipient}`).digest('hex');
  let rest = BigInt(`0x${digest}`);
  let key = '';
  while (key.length < LENGTH) {
    key = (ALPHABET[Number(rest & 31n)] ?? '') + key;
    rest >>= 5n;
  }
  return key;
}
