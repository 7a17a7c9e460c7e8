import { createHash } from 'node:crypto';

/** Where a text is kept: SHA-256 of its UTF-8 bytes, in lower-case hex. */
export const addressOf = (text: string): string => createHash('sha256').update(text).digest('hex');
