import { createHash } from 'node:crypto';

/**
 * What a worker shows to the API proxy in place of a credential. It follows from the attempt's nonce alone, so that the
 * proxy of a restarted host knows a worker again; and nobody learns a nonce from it.
 */
export const attemptToken = (nonce: string): string =>
  `atelier-${createHash('sha256').update(`api ${nonce}`).digest('hex')}`;
