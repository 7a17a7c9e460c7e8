import { describe, expect, test } from 'vitest';
import { taskIssues } from './task-issues.ts';

const issuesOf = (...rows: unknown[]) => taskIssues(rows);

const codes = (...rows: unknown[]) => issuesOf(...rows).map(({ code }) => code);

const accepted = (...rows: unknown[]) => expect(issuesOf(...rows)).toEqual([]);

describe('edges', () => {
  test('an upstream must be in the plan', () => {
    const [issue, review] = issuesOf({
      id: 'b',
      parallel_group: 2,
      depends_on: ['B'],
      reviews: 404,
    });
    expect(issue).toMatchObject({
      code: 'unknown-upstream',
      taskId: 'b',
      field: 'depends_on',
      item: 0,
    });
    expect(issue?.message).toBe('task "b" depends on "B", which is not in the plan');
    expect(review).toMatchObject({ code: 'unknown-upstream', field: 'reviews' });
  });

  test('an id names its task whether it is written as text or as a number', () => {
    accepted({ id: 7, parallel_group: 1 }, { id: 'b', parallel_group: 2, depends_on: ['7'] });
  });

  test('no task depends on itself or reviews itself', () => {
    expect(codes({ id: 'a', parallel_group: 1, depends_on: ['a'], reviews: 'a' })).toEqual([
      'self-dependency',
      'self-dependency',
    ]);
  });

  test.each([
    ['the same', 2],
    ['a lower', 1],
  ])('a dependent in %s group than its upstream is refused', (_, group) => {
    const upstream = { id: 'a', parallel_group: 2 };
    const [issue, more] = issuesOf(upstream, {
      id: 'b',
      parallel_group: group,
      depends_on: ['a'],
    });
    expect(issue).toMatchObject({ code: 'not-later', taskId: 'b', field: 'depends_on', item: 0 });
    expect(issue?.fix).toContain('parallel_group 3');
    expect(more).toBeUndefined();
  });

  test('a live row may depend on a closed row of any group', () => {
    accepted(
      { id: 'a', status: 'complete', parallel_group: 9 },
      { id: 'b', status: 'abandoned' },
      { id: 'c', parallel_group: 1, depends_on: ['a', 'b'] },
    );
  });

  test('what a closed row once depended on is history', () => {
    accepted({ id: 'a', status: 'complete', depends_on: ['gone', 'a'], parallel_group: 1 });
  });

  test('a cycle is reported once, with the way around it', () => {
    const issues = issuesOf(
      { id: 'A', parallel_group: 1, depends_on: ['C'] },
      { id: 'B', parallel_group: 2, depends_on: ['A'] },
      { id: 'C', parallel_group: 3, depends_on: ['B'] },
    );
    const [notLater, cycle] = issues;
    expect(issues).toHaveLength(2);
    expect(notLater?.code).toBe('not-later');
    expect(cycle).toMatchObject({ code: 'cycle', taskId: 'A', field: 'depends_on', item: 0 });
    expect(cycle?.message).toContain('A -> C -> B -> A');
  });

  test('a cycle is found where a group is unusable, and through reviews', () => {
    expect(
      codes(
        { id: 'A', assigned_persona: 'a', depends_on: ['B'] },
        { id: 'B', assigned_persona: 'b', reviews: 'A' },
      ),
    ).toEqual(['invalid-group', 'cycle', 'invalid-group']);
  });

  test('a closed row ends a cycle', () => {
    accepted(
      { id: 'A', parallel_group: 1, depends_on: ['B'] },
      { id: 'B', status: 'complete', depends_on: ['A'] },
    );
  });

  test('a long cycle is named as far as a line allows', () => {
    const ring = Array.from({ length: 40 }, (_, i) => ({
      id: `n${i}`,
      parallel_group: i + 1,
      depends_on: [`n${(i + 39) % 40}`],
    }));
    const cycle = issuesOf(...ring).find(({ code }) => code === 'cycle');
    expect(cycle?.message).toContain('n0 -> n39 -> n38');
    expect(cycle?.message).toMatch(/\(28 more\) -> n0$/u);
  });
});
