import { CliTransportError } from '../../cli-error.ts';
import type { DialectName } from '../dialects/dialect.ts';

/** Headers in lower case. They go in place of a worker's own; of a list header, beside what the worker sent. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** What the model API is paid with. It stays with the host. */
export interface ApiCredential {
  /** Asked for each request. Rejects with a coded error whose message has no secret in it. */
  current(): Promise<CredentialHeaders>;
  /** The API has refused what `current` gave. False: there is nothing newer. The proxy asks once at a time. */
  renew?(): Promise<boolean>;
}

/** A key of the API, which does not change. Throws `API_CREDENTIAL`. */
export function apiKey(dialect: DialectName, key: string): ApiCredential {
  const name = dialect === 'anthropic' ? 'x-api-key' : 'authorization';
  const value = name === 'authorization' ? `Bearer ${plain(key)}` : plain(key);
  return { current: async () => ({ [name]: value }) };
}

/** The headers of a subscription's token; the API takes one only from a client that says so. */
export const oauthHeaders = (token: string): CredentialHeaders => ({
  authorization: `Bearer ${plain(token)}`,
  'anthropic-beta': 'oauth-2025-04-20',
});

/** A long-lived token of a subscription, such as `claude setup-token` prints. Throws `API_CREDENTIAL`. */
export function oauthToken(token: string): ApiCredential {
  const headers = oauthHeaders(token);
  return { current: async () => headers };
}

/** What of the headers must be seen by nobody. */
export const secretsOf = (headers: CredentialHeaders): readonly string[] =>
  ['x-api-key', 'authorization']
    .map((name) => headers[name]?.replace(/^Bearer /u, '') ?? '')
    // A shorter one is no secret, and would blot out ordinary text.
    .filter(({ length }) => length >= 8);

function plain(secret: string): string {
  if (/^[\x21-\x7e]+$/u.test(secret)) return secret;
  throw new CliTransportError(
    'API_CREDENTIAL',
    'the credential of the model API is empty, or has characters that no header can carry',
    'Check that it was pasted whole, without spaces or line ends.',
  );
}
