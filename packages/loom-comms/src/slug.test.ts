import { describe, expect, it } from 'vitest';
import { channelOfRun } from './channel-of-run.ts';
import { shortHash, slug } from './slug.ts';

describe('slug', () => {
  it.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['be/1', 'be-1'],
    ['größe_1', 'größe_1'],
    ['', 'goal'],
    ['/..//', 'goal'],
  ])('LC-37: %j is %j', (text, expected) => {
    expect(slug(text)).toBe(expected);
  });

  it('LC-37: has at most 64 units', () => {
    expect(slug('x'.repeat(300))).toHaveLength(64);
    expect(slug(`${'x'.repeat(63)}𝒳`)).toBe('x'.repeat(63));
  });
});

describe('the channel of a run', () => {
  it('is cycle-<run>, and at most 64 units that tell runs apart', () => {
    expect(channelOfRun('r-7')).toBe('cycle-r-7');
    const [a, b] = ['x', 'y'].map((end) => channelOfRun('r'.repeat(80) + end));
    expect(a).not.toBe(b);
    expect(a?.length).toBeLessThanOrEqual(64);
    expect(channelOfRun('a b')).toBe(`cycle-a-b-${shortHash('a b')}`);
  });
});
