import type { JsonValue } from '@atelier/envelope';
import { displayText } from './column-text.ts';
import type { ChangeRow, ProductRow } from './schema.ts';

/** Rows that one attempt gets, whatever its evidence holds: the whole of it stays in the event. */
const MOST_ROWS = 200;

/** What is longer is no path of a repository. In UTF-16 units. */
const LONGEST_PATH = 4096;

/** A hash, with room for however a worker spells it. */
const LONGEST_CLAIM = 200;

export type ChangedFile = Pick<
  ChangeRow,
  'position' | 'path' | 'status' | 'insertions' | 'deletions'
>;

export type Product = Pick<ProductRow, 'path' | 'sha256' | 'bytes' | 'claimed'>;

/**
 * The changed files that evidence lists; undefined when it has no such list. Evidence may be of any acceptance: an
 * entry that can not be a row is left out.
 */
export function changesIn(evidence: unknown): readonly ChangedFile[] | undefined {
  const files = listIn(evidence, 'files');
  return files?.flatMap(fileIn).map((file, position) => ({ ...file, position }));
}

/** The produced files that evidence lists, and the claims that differ; undefined when it has neither list. */
export function productsIn(evidence: unknown): readonly Product[] | undefined {
  const products = listIn(evidence, 'products');
  const mismatches = listIn(evidence, 'mismatches');
  if (!products && !mismatches) return undefined;
  const byPath = new Map<string, Product>();
  for (const entry of products ?? []) {
    const path = pathIn(entry);
    const sha256 = hashOf(entry['sha256']);
    if (path === undefined || sha256 === null) continue;
    byPath.set(path, { path, sha256, bytes: countOf(entry['bytes']), claimed: null });
  }
  for (const entry of mismatches ?? []) {
    const path = pathIn(entry);
    const { claimed, found } = entry;
    if (path === undefined || typeof claimed !== 'string') continue;
    const known = byPath.get(path) ?? { path, sha256: hashOf(found), bytes: null };
    byPath.set(path, { ...known, claimed: displayText(claimed.slice(0, LONGEST_CLAIM)) });
  }
  return [...byPath.values()];
}

/** Evidence with what was found later: key by key where both are objects, so that no fact is lost. */
export const withEvidence = (known: JsonValue | undefined, added: JsonValue): JsonValue =>
  isObject(known) && isObject(added) ? { ...known, ...added } : added;

type Entry = Readonly<Record<string, unknown>>;

function listIn(evidence: unknown, name: string): readonly Entry[] | undefined {
  const list = isObject(evidence) ? evidence[name] : undefined;
  return Array.isArray(list) ? list.slice(0, MOST_ROWS).filter(isObject) : undefined;
}

/** Tells objects from lists, null and plain values. */
export const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fileIn(entry: Entry): Omit<ChangedFile, 'position'>[] {
  const path = pathIn(entry);
  const { status } = entry;
  if (path === undefined || !isStatus(status)) return [];
  const insertions = countOf(entry['insertions']);
  return [{ path, status, insertions, deletions: countOf(entry['deletions']) }];
}

function pathIn({ path }: Entry): string | undefined {
  const usable = typeof path === 'string' && path !== '' && path.length <= LONGEST_PATH;
  return usable ? displayText(path) : undefined;
}

const STATUSES: { readonly [status in ChangeRow['status']]: true } = {
  added: true,
  modified: true,
  deleted: true,
  'type-changed': true,
};

const isStatus = (status: unknown): status is ChangeRow['status'] =>
  typeof status === 'string' && Object.hasOwn(STATUSES, status);

const SHA256 = /^[0-9a-f]{64}$/;

const hashOf = (hash: unknown): string | null =>
  typeof hash === 'string' && SHA256.test(hash) ? hash : null;

const countOf = (count: unknown): number | null =>
  typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
