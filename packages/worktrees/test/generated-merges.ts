import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './scratch.ts';

/** What a commit has, by paths whose bytes are characters of Latin-1. */
export type Files = ReadonlyMap<string, File>;

interface File {
  readonly mode: '100644' | '100755' | '120000' | '160000';
  /** Of a submodule, its commit. */
  readonly text: string;
}

/** A merge base and the two sides. */
export type Merge = readonly [base: Files, ours: Files, theirs: Files];

export type Random = (below: number) => number;

/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Names that sort in many ways with and without a slash behind them, and some that are no text. */
const NAMES = [
  'a',
  'a.b',
  'a-b',
  'a0',
  'A',
  'b',
  'c',
  'é',
  '\xff',
  ' ',
  '"q"',
  '\\',
  'n\nl',
  't\t',
];

export function generatedMerge(random: Random): Merge {
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
  const name = () => pick(NAMES);
  const folder = (files: Files) => {
    const folders = [...files.keys()].map((path) => path.slice(0, path.lastIndexOf('/') + 1));
    return random(4) === 0 ? `${pick(folders)}${name()}/` : pick(['', ...folders]);
  };
  const text = () => `${Array.from({ length: 12 }, () => random(1e9)).join('\n')}\n`;
  const edited = (before: string) => before.replace(/^.*$/m, `${random(1e9)}`);
  const put = (files: Map<string, File>, path: string, file: File) => {
    for (const one of [...files.keys()])
      if (path.startsWith(`${one}/`) || one.startsWith(`${path}/`)) files.delete(one);
    files.set(path, file);
  };
  const below = (files: Files, path: string) =>
    [...files].filter(([one]) => one.startsWith(path) && path !== '');
  const move = (files: Map<string, File>, moved: readonly [string, File][], to: string) => {
    for (const [path] of moved) files.delete(path);
    for (const [path, file] of moved) put(files, to + path.slice(path.lastIndexOf('/') + 1), file);
  };
  type Change = (files: Map<string, File>, at: string, file: File) => void;
  const PLAIN: readonly Change[] = [
    (files) => put(files, folder(files) + name(), { mode: '100644', text: text() }),
    (files, at, file) => files.set(at, { ...file, text: edited(file.text) }),
  ];
  const OTHER: readonly Change[] = [
    (files, at) => files.delete(at),
    (files, at, file) => move(files, [[at, file]], folder(files)),
    (files, at, file) => {
      files.delete(at);
      put(files, folder(files) + name(), { ...file, text: edited(file.text) });
    },
    (files) => move(files, below(files, folder(files)), folder(files)),
    (files) => {
      for (const [path] of below(files, folder(files))) files.delete(path);
    },
    (files, at, file) => files.set(at, { mode: '100755', text: file.text }),
    (files, at) => files.set(at, { mode: '120000', text: `to-${random(9)}` }),
    // A file becomes a folder with it inside, a folder a file.
    (files, at, file) => put(files, `${at}/${name()}`, file),
    (files, at, file) => put(files, at.split('/')[0] ?? at, file),
    (files, at) => put(files, at, { mode: '160000', text: `${1 + random(9)}`.repeat(40) }),
  ];
  const change = (files: Map<string, File>) => {
    const [at, file] = pick([...files]) ?? [];
    if (at !== undefined && file?.mode !== '160000' && file)
      pick(random(3) === 0 ? OTHER : PLAIN)(files, at, file);
  };
  const base = new Map<string, File>();
  for (let count = 4 + random(16); count > 0; count -= 1)
    put(base, folder(base) + name(), { mode: '100644', text: text() });
  if (random(4) === 0) put(base, 'module', { mode: '160000', text: '1'.repeat(40) });
  const both = new Map(base);
  if (random(6) === 0) change(both);
  const [ours, theirs] = [new Map(both), new Map(both)];
  for (const side of [ours, theirs])
    for (let count = 1 + random(3); count > 0; count -= 1) change(side);
  return [base, ours, theirs];
}

/** A commit of each, in a repository of their own: the sides of a merge on its base. */
export function committed(merges: readonly Merge[]): {
  readonly dir: string;
  readonly commits: readonly (readonly [base: string, ours: string, theirs: string])[];
} {
  const dir = scratch();
  execFileSync('git', ['init', '-q', dir]);
  const parts = merges.flatMap((merge, at) =>
    merge.map((files, side) => {
      const from = side > 0 ? `from :${3 * at + 1}\n` : '';
      const lines = [...files].map(lineOf).join('');
      const mark = 3 * at + side + 1;
      return `reset refs/heads/x\ncommit refs/heads/x\nmark :${mark}\ncommitter a <a@b> 1 +0000\ndata 0\n${from}deleteall\n${lines}\n`;
    }),
  );
  const marks = join(dir, '.git/marks');
  execFileSync('git', ['fast-import', '--quiet', '--force', `--export-marks=${marks}`], {
    cwd: dir,
    input: parts.join(''),
  });
  const names = new Map(
    readFileSync(marks, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(1).split(' ') as [string, string]),
  );
  const named = (mark: number) => names.get(`${mark}`) ?? '';
  return {
    dir,
    commits: merges.map((_, at) => [named(3 * at + 1), named(3 * at + 2), named(3 * at + 3)]),
  };
}

function lineOf([path, { mode, text }]: readonly [string, File]): string {
  const octal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  const quoted = `"${path.replace(/[^\w/]/g, octal)}"`;
  return mode === '160000'
    ? `M ${mode} ${text} ${quoted}\n`
    : `M ${mode} inline ${quoted}\ndata ${text.length}\n${text}\n`;
}
