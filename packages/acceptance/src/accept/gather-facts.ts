import { type JsonValue, printable } from '@atelier/envelope';
import { isWithin, plainPath } from '../scope/path-entry.ts';
import type { FileChange, FileFact } from '../workspace.ts';
import { type Claim, claimsIn, plainSha } from './claims.ts';
import { type StageEnd, type Subject, workOf } from './subject.ts';

const MOST_FILES = 200;
const MOST_PRODUCTS = 100;

/**
 * What the host itself finds: changed files with their lines, and the hashes of what was produced. A worker’s hash
 * that is another is noted and decides nothing.
 */
export async function gatherFacts(subject: Subject): Promise<StageEnd> {
  const { task, reply, changeSet, workspace } = subject;
  const { base, changes } = changeSet;
  const commit = workOf(changeSet);
  const claims = claimsIn(reply, MOST_PRODUCTS);
  const paths = [...productPaths(task.must_produce ?? [], changes), ...claims.map(pathOf)];
  const wanted = [...new Set(paths)].slice(0, MOST_PRODUCTS);
  const found = wanted.length > 0 ? await workspace.facts(commit ?? base, wanted) : [];
  const omitted = changes.length - MOST_FILES;
  return {
    kind: 'passed',
    evidence: {
      base,
      ...(commit === undefined ? {} : { commit }),
      changed: changes.length,
      files: changes.slice(0, MOST_FILES).map(fileOf),
      ...(omitted > 0 ? { omitted } : {}),
      insertions: sum(changes.map(({ insertions = 0 }) => insertions)),
      deletions: sum(changes.map(({ deletions = 0 }) => deletions)),
      products: commit === undefined ? [] : found.map(productOf),
      mismatches: mismatches(claims, { wanted, found }),
    },
  };
}

const pathOf = ({ path }: { readonly path: string }): string => path;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function productPaths(mustProduce: readonly string[], changes: readonly FileChange[]): string[] {
  const entries = mustProduce.map(plainPath).filter((entry) => entry !== '');
  return changes
    .filter(({ status }) => status !== 'deleted')
    .map(pathOf)
    .filter((path) => entries.some((entry) => isWithin(path, entry)));
}

const fileOf = ({ path, status, insertions, deletions }: FileChange): JsonValue => ({
  path,
  status,
  ...(insertions === undefined ? {} : { insertions }),
  ...(deletions === undefined ? {} : { deletions }),
});

const productOf = ({ path, sha256, bytes }: FileFact): JsonValue => ({ path, sha256, bytes });

function mismatches(
  claims: readonly Claim[],
  { wanted, found }: { readonly wanted: readonly string[]; readonly found: readonly FileFact[] },
): JsonValue[] {
  const asked = new Set(wanted);
  const hashes = new Map(found.map(({ path, sha256 }) => [path, sha256]));
  return claims.flatMap(({ path, sha }) => {
    const hash = hashes.get(path) ?? null;
    if (sha === undefined || !asked.has(path) || plainSha(sha) === hash) return [];
    return [{ path, claimed: printable(sha, 100), found: hash }];
  });
}
