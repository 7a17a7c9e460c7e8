import { expect, test } from 'vitest';
import { type RunModeSources, resolveRunMode } from './resolve-run-mode.ts';

test.each<[RunModeSources, string, string]>([
  [{ explicit: 'balanced', interactiveChoice: 'cost-lean' }, 'balanced', 'asked for'],
  [{ interactiveChoice: 'balanced', env: 'cost-lean' }, 'balanced', 'chosen at the start'],
  [{ env: ' Quality-Lean\n', saved: 'balanced' }, 'quality-lean', 'from the environment'],
  [{ explicit: '', env: '  ', saved: 'balanced' }, 'balanced', 'saved default'],
  [{ saved: 'cost-lean' }, 'cost-lean', 'saved default'],
  [{ saved: ' Cost-Effective ' }, 'cost-lean', 'saved default'],
  [{ saved: 'code-quality' }, 'quality-lean', 'saved default'],
  [{ explicit: 'code-quality', env: 'code-quality' }, 'cost-lean', 'default'],
  [{}, 'cost-lean', 'default'],
])('%j is %s, %s', (sources, mode, reason) => {
  expect(resolveRunMode(sources)).toEqual({ mode, reason });
});

test('it answers without any source', () => {
  expect(resolveRunMode()).toEqual({ mode: 'cost-lean', reason: 'default' });
});

test.each(['constructor', '__proto__', 'toString', 'neutral', 'cost lean'])(
  '%s is no mode',
  (text) => {
    const sources = { explicit: text, interactiveChoice: text, env: text, saved: text };
    expect(resolveRunMode(sources)).toEqual({ mode: 'cost-lean', reason: 'default' });
  },
);

test('what is not text is passed over, whatever the types say', () => {
  const odd: unknown[] = [7, true, {}, [], ['balanced'], Symbol('x'), () => 'balanced'];
  for (const explicit of odd) {
    const sources = { explicit, env: 'balanced' } as RunModeSources;
    expect(resolveRunMode(sources).mode).toBe('balanced');
  }
});
