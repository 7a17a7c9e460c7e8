import { expect, test } from 'vitest';
import { type BriefingInput, composeBriefing, type WorkUnderReview } from '../src/index.ts';
import { readBriefing } from './read-briefing.ts';

const BASE = 'a'.repeat(40);

const review: WorkUnderReview = { taskId: 'api', attempt: 1, files: [], base: BASE };

const plain: BriefingInput = {
  task: { id: 'critic', writes: ['src/**'], must_produce: ['x.md'], verify: 'npm test' },
  attempt: 1,
  maxAttempts: 5,
  handIn: 'reply-file',
};

const told = (fields: Partial<WorkUnderReview>): string =>
  composeBriefing({ ...plain, review: { ...review, ...fields } });

test('a reviewer may write nothing, whatever its task says', () => {
  const { fences, outside } = readBriefing(told({}));
  expect(outside).toContain('\nYou may write nothing: any change fails the attempt.');
  expect(outside).not.toMatch(/must exist and have changed|runs this command/);
  expect(fences.map(({ label }) => label)).toEqual(['task_id', 'reviewed task']);
});

test('a verdict is said as it is judged: approval, findings, and no third way', () => {
  const [, section = ''] = told({}).split('# What you review');
  expect(section).toMatch(/\n {2}- done: you approve .*list the files you looked at\.\n/);
  expect(section).toMatch(/\n {2}- blocked: it does not pass\. The notes are your findings/);
  expect(section).toMatch(/\n {2}- needs-input: counts like blocked\.\n/);
  expect(section).toMatch(/\n {2}- abandoned: nobody in your place could judge it\./);
});

const COMMIT = 'c'.repeat(64);

test.each<[Partial<WorkUnderReview>, string]>([
  [{}, `\`git diff ${BASE}\`. Files that git does not know yet are in \`git status\`.`],
  [{ commit: COMMIT }, `\`git diff ${BASE} ${COMMIT}\`\n`],
  [{ commit: 'HEAD' }, `\`git diff ${BASE}\`. Files`],
  [{ commit: COMMIT, diffCommand: 'git log -p' }, '<<< diff command\n| git log -p\n>>>\n'],
])('%j: how the work is seen', (fields, text) => {
  expect(told(fields)).toContain(`This command shows what was changed:`);
  expect(told(fields)).toContain(text);
});

test.each([
  '',
  'HEAD',
  'a'.repeat(39),
  'a'.repeat(65),
  'A'.repeat(40),
  `${BASE}\n`,
  `${BASE} --output=x`,
  '--output=/x',
])('a base that is no hash makes no command: %j', (base) => {
  expect(told({ base, commit: COMMIT })).not.toContain('git diff');
});

test('work without a change says so', () => {
  expect(told({})).toContain('\nIt changed no file.\n');
});

test('many files are counted, the same ones in whichever order they come', () => {
  const files = Array.from({ length: 230 }, (_, index) => ({
    ...{ path: `src/${1000 + index}.ts`, status: 'modified' as const },
  }));
  const text = told({ files, omitted: 12 });
  expect(text).toContain('\n| "src/1199.ts"\n>>>\n42 more changed files are not shown.\n');
  expect(told({ files: files.toReversed(), omitted: 12 })).toBe(text);
});

test('findings come after the summary, cut at 8,000 code points', () => {
  const previous = { summary: 'verify: exit code 1', findings: '日'.repeat(8005) };
  const { fences } = readBriefing(composeBriefing({ ...plain, previous }));
  expect(fences.slice(-2)).toMatchObject([
    { label: 'previous attempt', text: 'verify: exit code 1', cut: 0 },
    { label: 'findings', text: '日'.repeat(8000), cut: 5 },
  ]);
});

test.each([
  [{ continued: true }, false],
  [{ continued: true, ref: 'refs/atelier/r/a/1' }, true],
])('%j: an attempt that goes on is told so, and never that its folder is empty', (fields, ref) => {
  const text = composeBriefing({ ...plain, previous: { summary: 'timeout', ...fields } });
  expect(text).toContain('uncommitted changes; `git status` shows it. Go on from there.');
  expect(text).not.toContain('is not in your folder');
  expect(text.includes('<<< ref\n| "refs/atelier/r/a/1"\n>>>')).toBe(ref);
});

test('every worker is told what is protected, in the part that all tasks share', () => {
  const [head = ''] = composeBriefing(plain).split('# Your task');
  expect(head).toContain('\nProtected unless named in what you may write: CI, git hooks, ');
});
