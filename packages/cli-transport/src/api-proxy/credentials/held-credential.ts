import type { ApiCredential, CredentialHeaders } from './credential.ts';

/** A credential as many requests share it. */
export interface HeldCredential {
  current(): Promise<CredentialHeaders>;
  /** The API has refused these headers. However many say so at once, it is renewed once. */
  refused(headers: CredentialHeaders): Promise<void>;
}

export function heldCredential(credential: ApiCredential): HeldCredential {
  let renewing: Promise<unknown> | undefined;
  return {
    async current() {
      await renewing;
      return credential.current();
    },
    async refused(headers) {
      if (!credential.renew) return;
      if (!renewing) {
        // Somebody else's refusal may have led to a newer one already.
        const now = await credential.current().catch(() => headers);
        if (!isSame(now, headers)) return;
        renewing ??= credential
          .renew()
          .catch(() => false)
          .finally(() => {
            renewing = undefined;
          });
      }
      await renewing;
    },
  };
}

const isSame = (one: CredentialHeaders, other: CredentialHeaders): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
