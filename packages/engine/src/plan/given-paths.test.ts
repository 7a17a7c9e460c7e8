import { expect, test } from 'vitest';
import { givenPaths } from './given-paths.ts';

const given = (copy: readonly string[], link: readonly string[] = []) =>
  givenPaths({ copy, link }, (path) => path.normalize('NFC'));

test('what begins like an entry is taken on trust', () => {
  const isGiven = given(['.env*', 'packages/*/dist'], ['node_modules']);
  for (const path of ['.env', '.env.local', 'packages/a/dist/x.js', 'node_modules/x'])
    expect([path, isGiven(path)]).toEqual([path, true]);
  expect(isGiven('src/.env')).toBe(false);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['**/.env', ['.env', 'a/b/.env', 'a/.env/x'], ['src/main.ts', 'a.env', '.envrc']],
  ['**/.env*', ['a/.env.local', '.env'], ['src/main.ts', 'a.env']],
  ['*.pem', ['a.pem', 'keys/b.pem'], ['a.pem.txt', 'pem']],
  ['**/dist/*', ['a/dist/x.js'], ['a/x.js', 'district/x']],
  ['{.env,*.key}', ['.env', 'a.key', '.env/x'], ['src/a.ts']],
  ['{**/x,y}', ['a/x', 'y', 'y/z'], ['a']],
  ['**', [], ['src/main.ts', '.env']],
  ['*/**', [], ['src/main.ts']],
])('%s vouches for what has its last name, and for nothing else', (entry, yes, no) => {
  const isGiven = given([entry]);
  for (const path of yes) expect([path, isGiven(path)]).toEqual([path, true]);
  for (const path of no) expect([path, isGiven(path)]).toEqual([path, false]);
});

test.each([...'*?[]{}\\'])('a name is known by what is before and behind a %s', (wildcard) => {
  const isGiven = given([`**/key${wildcard}x.pem`]);
  expect(isGiven('a/key-1x.pem')).toBe(true);
  expect(isGiven('a/key-1.pem')).toBe(false);
});

test('an entry that no worktree could be given vouches for nothing', () => {
  const long = `${'x'.repeat(300)}*`;
  expect(given([long])(`${'x'.repeat(300)}y`)).toBe(false);
  expect(given([long.slice(1)])(`${'x'.repeat(299)}y`)).toBe(true);
});
