import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tailOf } from './tail.ts';

const told = (limit: number, chunks: readonly Uint8Array[]) => {
  const tail = tailOf(limit);
  for (const chunk of chunks) tail.push(chunk);
  return tail.text();
};

describe('the tail of a stream', () => {
  it('is the end of it, however the bytes arrive', () => {
    const chunks = fc.array(fc.stringMatching(/^[a-z\n]{0,40}$/));
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 50 }), (texts, limit) => {
        const bytes = texts.map((text) => Buffer.from(text));
        expect(told(limit, bytes)).toBe(texts.join('').slice(-limit));
      }),
    );
  });

  it('is well-formed and within its limit, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), fc.integer({ min: 1, max: 50 }), (chunks, limit) => {
        const text = told(limit, chunks);
        expect(text).not.toMatch(/\p{Cs}/u);
        expect(text.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('does not begin in the middle of a character', () => {
    expect(told(8, [Buffer.from('xx€uro €')])).toBe('uro €');
    expect(told(9, [Buffer.from('xx€uro €')])).toBe('uro €');
    expect(told(10, [Buffer.from('xx€uro €')])).toBe('€uro €');
  });
});
