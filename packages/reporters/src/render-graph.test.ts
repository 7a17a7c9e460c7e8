import type { PlanPreview, PreviewTask } from '@atelier/engine/plan';
import { expect, test } from 'vitest';
import { renderGraph } from './render-graph.ts';

const task = (id: string | number, fields: Partial<PreviewTask> = {}): PreviewTask => ({
  ...{ id, title: 'Do it', worker: null, depends_on: [], writes: [] },
  ...fields,
});

const preview = (...waves: readonly (readonly PreviewTask[])[]): PlanPreview => ({
  ...{ version: 1, goal: 'g', maxAttempts: 5, closed: 0, live: 1, maxDispatches: 5, warnings: [] },
  waves: waves.map((tasks, wave) => ({ wave, group: wave + 1, tasks })),
});

/** What Mermaid reads as a flowchart of ours, line by line, and nothing else. */
const LABEL = '"(?:[\\p{L}\\p{M}\\p{N} ._,/-]|#\\d+;|<br/>)*"';
const LINES: readonly RegExp[] = [
  /^flowchart TD$/u,
  new RegExp(`^ {2}subgraph w\\d+\\[${LABEL}\\]$`, 'u'),
  new RegExp(`^ {4}n\\d+\\[${LABEL}\\]$`, 'u'),
  /^ {2}end$/u,
  /^ {2}n\d+ (?:-->|-\.->\|reads\||==>\|review\|) n\d+$/u,
];

/** The labels of the nodes as they are drawn. Throws for whatever is no line of a flowchart. */
function drawn(text: string): string[] {
  const lines = text.replace(/\n$/u, '').split('\n');
  let depth = 0;
  for (const line of lines) {
    const kind = LINES.findIndex((each) => each.test(line));
    if (kind < 0) throw new Error(`no line of a flowchart: ${line}`);
    if (kind === 1) depth += 1;
    if (kind === 3) depth -= 1;
    if (depth < 0 || depth > 1 || (kind === 2) !== (depth === 1 && kind !== 1))
      throw new Error(`not where it belongs: ${line}`);
  }
  expect(depth).toBe(0);
  return lines
    .filter((line) => line.startsWith('    n'))
    .map((line) => line.replace(/^ {4}n\d+\["(.*)"\]$/u, '$1'))
    .map((label) => label.replace(/#(\d+);/gu, (_, code) => String.fromCodePoint(Number(code))));
}

test('waves are subgraphs, and each kind of edge has its own arrow', () => {
  const text = renderGraph(
    preview(
      [
        task('api', { title: 'Build "it"' }),
        task('judge', { depends_on: ['api'], reviews: 'api' }),
      ],
      [task(7, { title: '', depends_on: ['api', 'closed', 'judge'], reads_from: ['judge'] })],
    ),
  );
  expect(text).toBe(`flowchart TD
  subgraph w0["wave 1"]
    n0["api<br/>Build #34;it#34;"]
    n1["judge<br/>Do it"]
  end
  subgraph w1["wave 2"]
    n2["7"]
  end
  n0 ==>|review| n1
  n0 --> n2
  n1 -.->|reads| n2
`);
  expect(drawn(text ?? '')).toEqual(['api<br/>Build "it"', 'judge<br/>Do it', '7']);
});

const HOSTILE = [
  'a"] --> b["c',
  'x\nclick n0 "https://example.com"',
  '%%{init: {"theme":"dark"}}%%',
  '%% gone',
  '`**bold**`',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '#quot;]',
  '#35;',
  'style n0 fill:#f00;',
  'style:#9;#x;',
  'classDef a:#f00;',
  'end',
  'subgraph',
  'n0',
  '---\ntitle: x\n---',
  '\u202egnp.exe\u2066',
  '\ud800',
  '$$x^2$$',
  'ﬂ°°34¶ß',
  "javascript:alert('x')",
  '@{ shape: rect }',
  '{{a}} ((b)) [/c/] |d| & e; f',
  '\\"] \\n',
  '__proto__',
];

test.each(HOSTILE)('no title and no id breaks out of its label: %j', (text) => {
  const graph = renderGraph(
    preview([task(text, { title: text }), task('b', { depends_on: [text], title: text })]),
  );
  const labels = drawn(graph ?? '');
  expect(labels).toHaveLength(2);
  expect(graph).toContain('\n  n0 --> n1\n');
  // What is drawn is what was given, as far as it is visible.
  if (!/[\p{C}]/u.test(text)) expect(labels[1]).toBe(`b<br/>${text}`);
});

test('texts of any characters in any order stay inside of their labels', () => {
  let seed = 11;
  const roll = (sides: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * sides);
  };
  const pieces = [...HOSTILE, ...'"[](){}<>|&;#%`\\\n\r\t-=.~:@^$!?*+,\'ﬂ°¶ß\u2028\u0000é語😀'];
  for (let round = 0; round < 300; round += 1) {
    const text = () => Array.from({ length: roll(6) }, () => pieces[roll(pieces.length)]).join('');
    const id = text();
    const graph = renderGraph(
      preview([task(id, { title: text() })], [task(`${id}2`, { title: text(), depends_on: [id] })]),
    );
    expect(drawn(graph ?? '')).toHaveLength(2);
  }
});

test('the same plan is the same text, and names of tasks that only look alike are two', () => {
  const two = preview([task('constructor'), task('__proto__'), task('7')]);
  expect(renderGraph(two)).toBe(renderGraph(two));
  expect(drawn(renderGraph(two) ?? '')).toHaveLength(3);
});

test('a plan with nothing to do is an empty flowchart', () => {
  expect(renderGraph(preview())).toBe('flowchart TD\n');
});

test('what Mermaid does not draw is not told in part', () => {
  const many = (some: number) => Array.from({ length: some }, (_, at) => task(at));
  expect(renderGraph(preview(many(500)))).toBeDefined();
  expect(renderGraph(preview(many(501)))).toBeUndefined();
  const star = Array.from({ length: 30 }, (_, at) =>
    task(`s${at}`, { depends_on: many(20).map(({ id }) => `${id}`) }),
  );
  expect(renderGraph(preview(many(20), star))).toBeUndefined();
});

test('titles give way where there is no room, and ids that need too much are no graph', () => {
  const rows = (id: string, title: string) =>
    Array.from({ length: 400 }, (_, at) => task(`${id}${at}`, { title }));
  const text = renderGraph(preview(rows('t', '"'.repeat(60)))) ?? '';
  expect(drawn(text)[0]).toBe('t0');
  expect(renderGraph(preview(rows('"'.repeat(36), '')))).toBeUndefined();
});
