import { expect, test } from 'vitest';
import { renderIssues } from './render-issues.ts';

test('each defect is one line: where, who and why, and the way out', () => {
  expect(
    renderIssues([
      {
        path: 'tasks[1].depends_on[0]',
        message: 'task "b" depends on "z", which is not in the plan',
        fix: 'Remove the edge.',
      },
      { path: '', message: 'a plan must be an object, got nothing', fix: 'Write one.' },
    ]),
  ).toBe(
    `tasks[1].depends_on[0]: task "b" depends on "z", which is not in the plan. Remove the edge.
a plan must be an object, got nothing. Write one.
`,
  );
});

test('no defect is no line', () => expect(renderIssues([])).toBe(''));

test('foreign text stays on its line and is cut', () => {
  const text = renderIssues([
    { path: 'a\nb.yaml', message: `bell \u0007 ${'x'.repeat(5000)}`, fix: '\u001b[2J' },
  ]);
  expect(text).toMatch(/^a\\x0ab\.yaml: bell \\x07 x+…\. \\x1b\[2J\n$/u);
  expect(text.length).toBeLessThan(700);
});
