import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';

test.each([
  ['0', 0],
  [' 4096 ', 4096],
  ['-1', undefined],
  ['1.5', undefined],
  ['4k', undefined],
  ['0x10', undefined],
  ['9999999999999999', undefined],
  ['', undefined],
  [undefined, undefined],
])(
  '3.11: ATELIER_COMPRESS_THRESHOLD=%s is %s, and so is ATELIER_BRIDGE_REF_THRESHOLD',
  (text, bytes) => {
    const env = { ATELIER_COMPRESS_THRESHOLD: text, ATELIER_BRIDGE_REF_THRESHOLD: text };
    const { compressThreshold, refThreshold } = readEnvironment(env, '/');
    expect([compressThreshold, refThreshold]).toEqual([bytes, bytes]);
  },
);
