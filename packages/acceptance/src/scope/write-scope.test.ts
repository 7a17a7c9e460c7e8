import { describe, expect, it } from 'vitest';
import { writeScope } from './write-scope.ts';

const judge = (writes: readonly string[] | undefined, path: string): string => {
  const offence = writeScope(writes)(path);
  if (!offence) return 'free';
  return offence.why === 'protected' ? offence.kind : offence.why;
};

describe('writes takes files, directories and globs', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', 'free'],
    ['src/a.ts', 'src/a.ts.bak', 'undeclared'],
    ['src/a.ts', 'src/b.ts', 'undeclared'],
    ['src', 'src/deep/a.ts', 'free'],
    ['src/', 'src/deep/a.ts', 'free'],
    ['src', 'src2/a.ts', 'undeclared'],
    ['./src//x/', 'src/x/y', 'free'],
    ['new dir/naïve f.py', 'new dir/naïve f.py', 'free'],
    ['src/*', 'src/a.ts', 'free'],
    ['src/*', 'src/.hidden', 'free'],
    ['src/*', 'src/deep/a.ts', 'undeclared'],
    ['src/**', 'src/deep/a.ts', 'free'],
    ['**/*.md', 'README.md', 'free'],
    ['**/*.md', 'docs/a/b.md', 'free'],
    ['packages/*/src/', 'packages/a/src/deep/b.ts', 'free'],
    ['packages/*/src', 'packages/a/src/deep/b.ts', 'undeclared'],
    ['{a,b}.txt', 'b.txt', 'free'],
    ['app/[slug]/page.tsx', 'app/[slug]/page.tsx', 'free'],
    ['app/(group)', 'app/(group)/page.tsx', 'free'],
    ['packages/@scope/x', 'packages/@scope/x/y.ts', 'free'],
    ['!src', 'docs/a.md', 'undeclared'],
    ['../other', 'other', 'undeclared'],
    ['/etc', 'etc', 'undeclared'],
    ['.', 'a', 'undeclared'],
    ['', 'a', 'undeclared'],
    ['SRC/a.ts', 'src/a.ts', 'undeclared'],
    // Composed and decomposed: two names to git.
    ['na\u00efve', 'nai\u0308ve', 'undeclared'],
  ])('%j and %j: %s', (entry, path, verdict) => {
    expect(judge([entry], path)).toBe(verdict);
  });

  it('an entry that is no text covers nothing', () => {
    expect(judge([7 as unknown as string, 'a'], '7')).toBe('undeclared');
  });
});

describe('protected paths must be spelled out', () => {
  it.each([
    [['**'], '.github/workflows/x.yml', 'ci'],
    [['.*/**'], '.github/workflows/x.yml', 'ci'],
    [['{.github,src}/**'], '.github/workflows/x.yml', 'ci'],
    [['.github/**'], '.github/workflows/x.yml', 'free'],
    [['.github'], '.github/workflows/x.yml', 'free'],
    [['.github/workflows/x.yml'], '.github/workflows/x.yml', 'free'],
    [['src/**', '.github/other.yml'], '.github/workflows/x.yml', 'undeclared'],
    // A declared folder is declared with all that is in it.
    [['.github/**'], '.github/actions/x/package-lock.json', 'free'],
    [['packages/a'], 'packages/a/package-lock.json', 'lockfile'],
    [['packages/a', '**/package-lock.json'], 'packages/a/package-lock.json', 'free'],
    [['*.config.ts'], 'vitest.config.ts', 'tool-config'],
    [['vitest.config.ts'], 'vitest.config.ts', 'free'],
    [['app/[slug]/tsconfig.json'], 'app/[slug]/tsconfig.json', 'free'],
    [['app/[st]/tsconfig.json'], 'app/s/tsconfig.json', 'free'],
    [['app/s/tsconfig[.]json'], 'app/s/tsconfig.json', 'tool-config'],
    [['.GitHub/**'], '.GitHub/x', 'free'],
    [['**'], '.GitHub/x', 'ci'],
    [undefined, '.husky/pre-commit', 'hook'],
    [undefined, 'src/a.ts', 'free'],
    [[], 'src/a.ts', 'undeclared'],
  ])('%j and %j: %s', (writes, path, verdict) => {
    expect(judge(writes, path)).toBe(verdict);
  });
});
