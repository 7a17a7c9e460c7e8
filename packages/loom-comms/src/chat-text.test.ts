import { describe, expect, it } from 'vitest';
import { chatLine, chatText } from './chat-text.ts';

describe('text for the chat', () => {
  it('keeps line breaks and tabs, and drops what moves a cursor, hides or reorders', () => {
    expect(chatText('a\r\nb\tc\x1b[31m\u202e\u200b\ud800d')).toBe('a\nb\tc[31m\ufffdd');
  });

  it('is one line of at most so many units, and never half a pair', () => {
    expect(chatLine('T-1:  two\n words ', 40)).toBe('T-1: two words');
    expect(chatLine('abcdef', 4)).toBe('abc…');
    expect(chatLine('a😀😀', 4)).toBe('a😀…');
    expect(chatLine('x', 0)).toBe('');
    expect(chatLine(`${'\u0000'.repeat(50)}x`, 10)).toBe('…');
    expect(chatLine('x'.repeat(1_000_000), 500)).toHaveLength(500);
  });
});
