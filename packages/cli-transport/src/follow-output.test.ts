import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followOutput } from './follow-output.ts';
import type { OutputReader } from './output-reader.ts';

const MIB = 1024 * 1024;

describe('followOutput', () => {
  let folder: string;
  let path: string;
  let lines: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-follow-'));
    path = join(folder, 'stdout');
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const reader: OutputReader = {
    read(told) {
      lines.push(...told);
      return told.map((tool) => ({ kind: 'tool', tool }));
    },
    usage: () => ({ inputTokens: lines.length }),
  };

  it('hands over complete lines, each once, however they arrive', () => {
    const followed = followOutput(path, reader, MIB);
    expect(followed.look(10)).toEqual([]);
    let written = '';
    for (const part of ['on', 'e\ntwo\nthr', 'ee\n', '\u00fc'.repeat(3), '\n', 'cut']) {
      written += part;
      writeFileSync(path, written);
      followed.look(Buffer.byteLength(written));
    }
    expect(followed.rest()).toEqual([]);
    expect(lines).toEqual(['one', 'two', 'three', '\u00fc\u00fc\u00fc']);
    expect(followed.usage()).toEqual({ inputTokens: 4 });
  });

  it('does not break a character whose bytes come apart', () => {
    const bytes = Buffer.from('\u{1f600}\n');
    const followed = followOutput(path, reader, MIB);
    writeFileSync(path, bytes.subarray(0, 2));
    followed.look(2);
    appendFileSync(path, bytes.subarray(2));
    expect(followed.look(5)).toEqual([{ kind: 'tool', tool: '\u{1f600}' }]);
  });

  it('reads 1 MiB a look, and the rest when it is over', () => {
    writeFileSync(path, `${'x'.repeat(1023)}\n`.repeat(3 * 1024));
    const followed = followOutput(path, reader, 32 * MIB);
    expect(followed.look(3 * MIB)).toHaveLength(1024);
    expect(followed.look(3 * MIB)).toHaveLength(1024);
    expect(followed.rest()).toHaveLength(1024);
    expect(followed.rest()).toEqual([]);
  });

  it('leaves out a line of more than 1 MiB, and none after it', () => {
    writeFileSync(path, `one\n${'x'.repeat(MIB + 1)}\n${'y'.repeat(MIB)}\ntwo\n`);
    followOutput(path, reader, 32 * MIB).rest();
    expect(lines.map((line) => line.length)).toEqual([3, MIB, 3]);
  });

  it('reads nothing beyond the limit of the output', () => {
    writeFileSync(path, 'one\ntwo\n');
    const followed = followOutput(path, reader, 6);
    followed.look(8);
    followed.rest();
    expect(lines).toEqual(['one']);
  });

  it('asks a reader that throws no more, and keeps what it knew', () => {
    writeFileSync(path, 'one\n');
    let asked = 0;
    const broken: OutputReader = {
      read() {
        asked += 1;
        if (asked > 1) throw new Error('a reader that fails');
        return [];
      },
      usage: () => ({ inputTokens: asked }),
    };
    const followed = followOutput(path, broken, MIB);
    followed.look(4);
    for (const _ of [1, 2, 3]) {
      appendFileSync(path, 'more\n');
      expect(followed.rest()).toEqual([]);
    }
    expect(asked).toBe(2);
    expect(followed.usage()).toEqual({ inputTokens: 1 });
  });
});
