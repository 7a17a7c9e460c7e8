import type { Reply } from '@atelier/envelope';
import { plainPath } from '../scope/path-entry.ts';

const LONGEST_PATH = 4096;

/** What a worker says of a file. */
export interface Claim {
  readonly path: string;
  /** A hash, as the worker spells it. */
  readonly sha?: string;
}

/** The artifacts of a reply that name a file of the repository; what is no usable path is dropped. */
export function claimsIn({ artifacts }: Reply, most: number): Claim[] {
  const claims: Claim[] = [];
  for (const artifact of artifacts) {
    if (claims.length >= most) break;
    const claim = claimIn(artifact);
    if (claim) claims.push(claim);
  }
  return claims;
}

function claimIn(artifact: unknown): Claim | undefined {
  if (typeof artifact === 'string') return named(artifact);
  if (typeof artifact !== 'object' || artifact === null) return undefined;
  const { path, sha256, sha } = artifact as Readonly<Record<string, unknown>>;
  const claim = typeof path === 'string' ? named(path) : undefined;
  const hash = typeof sha256 === 'string' ? sha256 : sha;
  return claim && typeof hash === 'string' ? { ...claim, sha: hash } : claim;
}

function named(path: string): Claim | undefined {
  if (path.length > LONGEST_PATH || !path.isWellFormed() || path.includes('\0')) return undefined;
  const plain = plainPath(path);
  return plain === '' ? undefined : { path: plain };
}

/** A hash in the host’s spelling. */
export const plainSha = (sha: string): string =>
  sha
    .trim()
    .toLowerCase()
    .replace(/^sha-?256[:-]/, '');
