import { printable } from '@atelier/envelope';
import { CliTransportError } from '../cli-error.ts';

/** The address without its last slashes. Throws `API_BASE_URL` for anything that is no plain http or https address. */
export function checkBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain = url && !url.username && !url.password && !url.search && !url.hash;
  if (plain && (url.protocol === 'http:' || url.protocol === 'https:')) {
    url.pathname = url.pathname.replace(/\/+$/, '');
    return url;
  }
  throw new CliTransportError(
    'API_BASE_URL',
    // A password in it would end up in a log.
    `the model API can not be at ${url ? printable(url.host) : printable(baseUrl)}`,
    'Give an http or https address without credentials, query or fragment.',
  );
}
