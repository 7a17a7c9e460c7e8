import { expect, it } from 'vitest';
import { renderPlanChange } from './render-plan-change.ts';

const task = (id: string, more: object = {}) => ({ id, parallel_group: 1, title: 't', ...more });

it('a changed plan is shown task by task', () => {
  const before = [task('a'), task('b'), task('c\x1b[2J')];
  const after = [
    task('a', { title: 'u', writes: ['x'] }),
    task('b', { created_at: '2026-01-01' }),
    task('d'),
  ];
  expect(renderPlanChange(before, after)).toBe('~ a: title, writes\n+ d\n- c\\x1b[2J\n');
});

it('the same plan has no change', () => {
  expect(renderPlanChange([task('a'), task('b')], [task('b'), task('a')])).toBe('');
});
