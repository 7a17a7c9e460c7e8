import { plainPath } from '../core/paths.ts';
import { quoted } from '../core/task-issues/received.ts';
import { authorRow } from '../core/task-issues/review-issues.ts';
import type { Row } from '../core/task-issues/row.ts';
import { type WriteClaim, writeClaims } from './contention.ts';
import type { Finding } from './finding.ts';
import { isPath } from './path-issues.ts';
import { type PathTree, pathTree } from './path-tree.ts';

interface Known {
  /** Paths that are there without any task, in the spelling of an accepted plan. */
  readonly isThere: (path: string) => boolean;
  readonly fold: (path: string) => string;
  /** Positions, as `row.item`, of reads that are refused already. */
  readonly refused: ReadonlySet<string>;
}

/**
 * Reads that nobody can satisfy: they are not there, and no task of a strictly earlier wave, nor one that is over, says
 * that it may write them. A reviewer reads in the wave of its author, with the author's work.
 */
export function* unmetReads(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
  { isThere, fold, refused }: Known,
): Generator<Finding> {
  const written = treeOf(
    rows.filter(({ live, group }) => !live || group !== undefined).sort(byGroup),
    { byKey, fold },
  );
  const ofAuthors = new Map<Row, PathTree<WriteClaim>>();
  for (const row of rows) {
    const { live, raw } = row;
    if (!live || !Array.isArray(raw?.reads)) continue;
    const author = authorRow(row, byKey);
    const own = author && (ofAuthors.get(author) ?? treeOf([author], { byKey, fold }));
    if (author && own) ofAuthors.set(author, own);
    const group = (author ?? row).group;
    if (group === undefined) continue;
    const list: readonly unknown[] = raw.reads;
    for (const [item, path] of list.entries()) {
      if (!isPath(path, false) || refused.has(`${row.index}.${item}`)) continue;
      const place = plainPath(fold(path));
      const writers = [...written.touching(place)].map((claim) => claim.row);
      if (writers.some((writer) => rank(writer) < group)) continue;
      if (own && !own.touching(place).next().done) continue;
      const spelled = plainPath(path.normalize('NFC'));
      if (isThere(spelled)) continue;
      const writer = writers.find((one) => one !== row);
      yield finding(row, {
        item,
        path,
        writer,
        author,
        isDecomposed: isThere(spelled.normalize('NFD')),
      });
    }
  }
}

/** The earliest come first, so that they are what the tree keeps. */
const byGroup = (a: Row, b: Row): number => rank(a) - rank(b);

/** What is over is earlier than every wave. */
const rank = ({ live, group }: Row): number => (live ? (group ?? 0) : 0);

function treeOf(
  rows: readonly Row[],
  options: Parameters<typeof writeClaims>[1],
): PathTree<WriteClaim> {
  const tree = pathTree<WriteClaim>();
  for (const row of rows)
    for (const claim of writeClaims(row, options))
      for (const place of claim.places) tree.add(place, claim);
  return tree;
}

interface UnmetRead {
  readonly item: number;
  readonly path: string;
  /** Somebody who writes it, but too late. */
  readonly writer: Row | undefined;
  /** Whom the row reviews, in the wave of that. */
  readonly author: Row | undefined;
  /** It is there under a name with other code points for the same letters. */
  readonly isDecomposed: boolean;
}

function finding(row: Row, { item, path, writer, author, isDecomposed }: UnmetRead): Finding {
  const place = {
    code: 'unmet-read',
    at: ['tasks', row.index, 'reads', item],
    taskId: row.key,
  } as const;
  const what = `${row.label} reads ${quoted(path)}`;
  if (isDecomposed)
    return {
      ...place,
      message: `${what}, whose name in the repository has its accents as letters of their own`,
      fix: 'Rename the file to the composed form (NFC), which is how a plan names it.',
    };
  if (writer && author)
    return {
      ...place,
      message: `${what}, which is not in the repository; it reviews ${author.label} and reads in parallel_group ${author.group}, and ${writer.label} writes it in ${writer.group}, which is not earlier`,
      fix: `Move ${author.label}, which it reviews, to parallel_group ${rank(writer) + 1} or later, or the writer to an earlier one.`,
    };
  if (writer)
    return {
      ...place,
      message: `${what}, which is not in the repository, and ${writer.label} writes it in parallel_group ${writer.group}, which is not earlier`,
      fix: `Move the reader to parallel_group ${rank(writer) + 1} or later, or the writer to an earlier one.`,
    };
  return {
    ...place,
    message: `${what}, which is not in the repository and which no task of an earlier parallel_group writes`,
    fix: 'Correct the path, let a task of an earlier parallel_group name it in writes or must_produce, or remove it.',
  };
}
