import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longTexts } from './long-texts.ts';

const long = 'é'.repeat(200);

test('what the chat takes is posted as it is; what it does not is whole while there is room in files, then cut and says so', () => {
  const texts = longTexts(150, 900);
  const short = 'x'.repeat(150);
  expect([texts.fit(long), texts.fit(long)]).toEqual([long, long]);
  const cut = texts.fit(long);
  expect(cut).toHaveLength(150);
  expect(cut).toMatch(/^é+… \(cut: the long texts of this run have filled the files/u);
  expect(texts.fit(short)).toBe(short);
  // Room for a smaller one is left.
  const smaller = 'x'.repeat(151);
  expect(longTexts(150, 0).fit(smaller)).toHaveLength(150);
});

test('what earlier hosts of the run have left counts, and a folder that can not be read is no trouble', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-long-'));
  const file = join(folder, 'a.md');
  writeFileSync(file, 'x'.repeat(600));
  const texts = longTexts(150, 900);
  await texts.keptIn(join(folder, 'none/b.md'));
  expect(texts.fit(long)).toBe(long);
  await texts.keptIn(file);
  expect(texts.fit(long)).toHaveLength(150);
  rmSync(folder, { recursive: true });
});
