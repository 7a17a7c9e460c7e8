import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validateReply } from '../src/index.ts';

interface Row {
  readonly name: string;
  readonly envelope: unknown;
  readonly dispatched: { readonly task_id: string | number; readonly attempt: number };
  readonly expect: { readonly ok: boolean; readonly field?: string; readonly category?: string };
}

interface Vector {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly result: string;
}

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'));

/** The part of a verdict that the rows speak about. */
const verdictOn = (input: unknown, taskId: string | number, attempt: number): Row['expect'] => {
  const verdict = validateReply(input, { taskId, attempt });
  if (!verdict.ok) return { ok: false, field: verdict.issues[0].field };
  return verdict.abandon === undefined
    ? { ok: true }
    : { ok: true, category: verdict.abandon.category };
};

describe('conformance rows: the verdict, the first failed field, the category', () => {
  const rows = fixture('envelope.json') as readonly Row[];

  test('all 542 rows are here', () => {
    expect(rows).toHaveLength(542);
  });

  test.each(rows.map((row, index) => ({ ...row, index })))('row $index: $name', (row) => {
    const { task_id, attempt } = row.dispatched;
    expect(verdictOn(row.envelope, task_id, attempt)).toEqual(row.expect);
    if (row.expect.ok) {
      expect(validateReply(row.envelope, { taskId: task_id, attempt })).toMatchObject({
        reply: row.envelope,
      });
    }
  });
});

describe('reference vectors: patches of a valid reply', () => {
  const vectors = fixture('envelope-vectors.json') as readonly Vector[];
  const base = {
    type: 'task_result',
    task_id: '7',
    attempt: 1,
    status: 'done',
    artifacts: [{ path: 'a' }],
    notes_md: '',
  };

  /** A row may write its reason as "+ emoji x200": that many emoji, one code point each. */
  const spelledOut = (patch: Vector['patch']): Vector['patch'] => {
    const { notes_md: notes } = patch;
    if (typeof notes !== 'string') return patch;
    const full = notes.replace(/ \+ emoji x(\d+)$/u, (_, count) =>
      '\u{1f600}'.repeat(Number(count)),
    );
    return { ...patch, notes_md: full };
  };

  test('all 35 vectors are here', () => {
    expect(vectors).toHaveLength(35);
  });

  test.each(vectors.map((vector, index) => ({ ...vector, index })))(
    'vector $index: $patch gives $result',
    ({ patch, result }) => {
      const { ok, field } = verdictOn({ ...base, ...spelledOut(patch) }, 7, 1);
      expect(ok ? 'ok' : field).toBe(result);
    },
  );
});
