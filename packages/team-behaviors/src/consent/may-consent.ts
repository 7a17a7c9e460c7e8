import type { Proposal } from './proposal.ts';

/** Whether a name is none of those who can not consent: who proposed, who works, and the persona itself. However spelt. */
export function mayConsent(
  name: string,
  { by, roleName }: Pick<Proposal, 'by' | 'roleName'>,
  workers: readonly string[],
): boolean {
  const given = folded(name);
  return given !== '' && ![by, roleName, ...workers].some((one) => folded(one) === given);
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

const folded = (name: string): string => name.normalize('NFKC').replace(HIDDEN, '').toLowerCase();
