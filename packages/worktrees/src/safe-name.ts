import { createHash } from 'node:crypto';

const LONGEST_SLUG = 32;

/**
 * A name for a path or a ref, from any text: a readable slug and a hash of the original, in `a-z0-9-` only.
 * Different texts give different names, on file systems that fold case too.
 */
export function safeName(text: string | number): string {
  const slug = String(text)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-|-$/g, '');
  return slug === '' ? hashOf(String(text)) : `${slug}-${hashOf(String(text))}`;
}

/** UTF-16, because UTF-8 has one and the same form for all lone surrogates. */
const hashOf = (text: string): string =>
  createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex').slice(0, 12);

/**
 * The same for the name of a run, which people type: one that is safe as it is stays as it is. No other text can
 * give it, because every other name ends in twelve digits of a hash.
 */
export const safeRunName = (runId: string): string =>
  SAFE_RUN.test(runId) && !HASHED.test(runId) ? runId : safeName(runId);

const SAFE_RUN = /^[a-z0-9]+(?:-[a-z0-9]+){0,7}$/;
const HASHED = /(?:^|-)[0-9a-f]{12}$|.{41}/;

/** The full name of a run’s integration branch. */
export const runBranch = (runId: string): string => `refs/heads/atelier/${safeRunName(runId)}`;
