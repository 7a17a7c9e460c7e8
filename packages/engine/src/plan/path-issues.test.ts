import { expect, test } from 'vitest';
import { validatePlan } from './validate-plan.ts';

const now = '2026-02-03T04:05:06Z';

const issuesOf = (task: object, plan: object = {}) => {
  const row = { id: 'a', parallel_group: 1, title: 'A', description: 'd', ...task };
  const validation = validatePlan({ goal: 'g', tasks: [row], ...plan }, { now });
  return validation.ok ? [] : validation.issues;
};

const refusedAt = (task: object, plan: object = {}) =>
  issuesOf(task, plan).map(({ code, path }) => `${code} ${path}`);

const everywhere = (path: string) =>
  refusedAt({ reads: [path], writes: [path], must_produce: [path] });

const ALL = ['reads', 'writes', 'must_produce'].map((field) => `invalid-path tasks[0].${field}[0]`);

test('§4.2: a path has an end: 4,096 bytes as it is stored, and 256 parts', () => {
  expect(everywhere('x'.repeat(4_096))).toEqual([]);
  expect(everywhere('x'.repeat(4_097))).toEqual(ALL);
  expect(everywhere('ü'.repeat(2_049))).toEqual(ALL);
  // Three times as many bytes when it is composed, which is how a checked plan has it.
  expect(everywhere('\u{1d160}'.repeat(1_000))).toEqual(ALL);
  expect(everywhere(`${'a/'.repeat(255)}a`)).toEqual([]);
  expect(everywhere(`${'a/'.repeat(256)}a`)).toEqual(ALL);
  const [issue] = issuesOf({ reads: ['x'.repeat(100_000)] });
  expect(issue?.message).toContain('is longer than 4096 bytes');
  expect(issue?.fix).toContain('short path');
});

test.each([
  ['.g\u200cit/config'],
  ['.g\ufeffit'],
  ['a/.git.'],
  ['.git /x'],
  ['.git. . /x'],
  ['\uff0egit/config'],
  ['.\u24d6it'],
  ['git~1/config'],
  ['x/GIT~1'],
])('%j is inside .git on some file system, and refused wherever a path stands', (path) => {
  expect(everywhere(path)).toEqual(ALL);
});

test.each([
  '{.git,x}/y',
  '{x,a/.GIT}/y',
  '{a,{b,.git}}/y',
  '.g{it,x}/y',
  '[.]git/config',
  '.gi[t]/x',
  '.[a-z]it/x',
  '.g[hi]t/x',
  '\\.git/x',
  'src/[g]it~1',
])('the pattern %j spells .git, and is refused', (path) => {
  expect(refusedAt({ writes: [path] })).toEqual(['invalid-path tasks[0].writes[0]']);
  expect(refusedAt({}, { worktree: { copy: [path] } })).toEqual(['invalid-path worktree.copy[0]']);
});

test('among thousands of spellings, too, and in as long as a plain path takes', () => {
  const names = Array.from({ length: 500 }, (_, i) => `n${i}`).join(',');
  const [bad, deep] = [`{${names},.git}/x`, '{.g,'.repeat(1_000)];
  const writes = [bad, `${names}`, ...Array.from({ length: 500 }, () => deep)];
  expect(refusedAt({ writes })).toEqual(['invalid-path tasks[0].writes[0]']);
});

test.each([
  '**',
  '*/config',
  '.g*/x',
  '.gi?',
  '[!a]git/x',
  '.github/{a,b}',
  '{.gitignore,.gitattributes}',
  'digit/x',
  'git~10',
  '.git-hooks/x',
  'a{b',
])('the pattern %j spells something else', (path) => {
  expect(refusedAt({ writes: [path] })).toEqual([]);
});

test.each([
  ['C:/x', 'is absolute'],
  ['./c:', 'is absolute'],
  ['*a*b*c*i', 'has too many stars'],
  ['*/'.repeat(9), 'has too many stars'],
  [`${'x/'.repeat(150)}x`, 'is longer than 300 characters'],
])('what no worktree could be given, is told before a run: %j, which %s', (path, why) => {
  const at = ['invalid-path worktree.copy[1]', 'invalid-path worktree.link[0]'];
  expect(refusedAt({}, { worktree: { copy: ['.env', path], link: [path] } })).toEqual(at);
  expect(issuesOf({}, { worktree: { copy: [path] } })[0]?.message).toContain(why);
});
