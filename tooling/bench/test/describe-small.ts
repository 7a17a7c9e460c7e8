import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderTable } from '../src/render-table.ts';
import type { Row } from '../src/row.ts';

const RUN = join(import.meta.dirname, '../dist/run.js');

const BOUND: ReadonlySet<string> = new Set(['cost', 'makespan', 'merged', 'worktrees']);

/** Runs these benches as small as they go, and holds what they print to what they write. */
export function describeSmall(benches: readonly string[]): void {
  describe(`small: ${benches.join(' ')}`, () => {
    const place = mkdtempSync(join(tmpdir(), 'atelier-small-'));
    let table = '';
    let rows: Row[] = [];

    beforeAll(async () => {
      const file = join(place, 'bench.json');
      const env = { ...process.env, TMPDIR: place };
      const call = promisify(execFile);
      const args = [RUN, '--small', '--json', file, ...benches];
      const { stdout } = await call(process.execPath, args, { env, maxBuffer: 2 ** 24 });
      table = stdout;
      rows = (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] }).rows;
    }, 600_000);

    afterAll(() => rmSync(place, { recursive: true, force: true }));

    it('has rows of all of them, each a figure or a reason why there is none', () => {
      expect([...new Set(rows.map(({ bench }) => bench))].join(' ')).toBe(benches.join(' '));
      for (const { value, note, ...row } of rows)
        if (value === null) expect(note, JSON.stringify(row)).toMatch(/\S/u);
        else expect(Number.isFinite(value) && value > 0, JSON.stringify(row)).toBe(true);
    });

    it('says whether each bound is kept, and by which ratio', () => {
      const bound = rows.filter((row) => row.bound !== undefined);
      expect([...new Set(bound.map(({ bench }) => bench))]).toEqual(
        benches.filter((name) => BOUND.has(name)),
      );
      for (const { ratio, met } of bound) {
        expect(Number.isFinite(ratio)).toBe(true);
        expect(met).toBeTypeOf('boolean');
      }
    });

    it('merges every task and leaves nothing in the clone', () => {
      const merged = rows.filter(({ bench }) => bench === 'merged');
      for (const { name, note } of merged)
        expect(note, name).toMatch(/^2 of 2 merged, nothing left/u);
    });

    it('prints the same rows as a table', () => {
      const byBench = benches.map((name) => rows.filter(({ bench }) => bench === name));
      expect(table).toBe(byBench.map((own) => `${renderTable(own)}\n`).join(''));
    });

    it('removes every folder that it made', () => {
      expect(readdirSync(place).filter((name) => name.startsWith('atelier-'))).toEqual([]);
    });
  });
}
