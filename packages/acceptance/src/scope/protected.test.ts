import { expect, it } from 'vitest';
import { isProtected } from './protected.ts';
import { PROTECTED_NAMES } from './protected-names.ts';

it.each([
  ['.github/workflows/ci.yml', 'ci'],
  ['.gitlab-ci.yml', 'ci'],
  ['Jenkinsfile', 'ci'],
  ['.woodpecker/build.yml', 'ci'],
  ['docs/CODEOWNERS', 'ci'],
  ['.husky/pre-commit', 'hook'],
  ['lefthook.yaml', 'hook'],
  ['lefthook.yml', 'hook'],
  ['lint-staged.config.mjs', 'hook'],
  ['deep/down/.gitattributes', 'git-config'],
  ['.gitmodules', 'git-config'],
  ['package-lock.json', 'lockfile'],
  ['go.sum', 'lockfile'],
  ['app/gradle.lockfile', 'lockfile'],
  ['bun.lockb', 'lockfile'],
  ['.claude/settings.json', 'tool-config'],
  ['packages/a/CLAUDE.md', 'tool-config'],
  ['AGENTS.md', 'tool-config'],
  ['.mcp.json', 'tool-config'],
  ['eslint.config.mjs', 'tool-config'],
  ['tsconfig.build.json', 'tool-config'],
  ['.vscode/tasks.json', 'tool-config'],
])('%j is protected: %s', (path, kind) => {
  expect(isProtected(path)).toBe(kind);
});

it.each([
  '.gitignore',
  'src/a.ts',
  'github/x',
  'x.github',
  'package.json',
  'my-config.js',
  'a/lock',
  '',
])('%j is not protected', (path) => {
  expect(isProtected(path)).toBeUndefined();
});

it.each([
  '.GITHUB/x',
  '.GitHub./x',
  '.git\u200chub/x',
  '.ﬂake8',
  'pac\u212aage-lock.json',
  'claude.MD ',
])('%j is protected: a file system may take it for the same name', (path) => {
  expect(isProtected(path)).toBeDefined();
});

it('each name of the table is protected, by the kind of its row', () => {
  for (const { kind, names } of PROTECTED_NAMES)
    for (const name of names)
      expect([name, isProtected(name.replace(/\{(\w+).*\}/, '$1').replaceAll('*', 'a'))]).toEqual([
        name,
        kind,
      ]);
});

it('names in the table are in the form that is compared', () => {
  const names = PROTECTED_NAMES.flatMap((row) => row.names);
  expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
