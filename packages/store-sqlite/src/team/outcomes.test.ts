import { describe, expect, test } from 'vitest';
import { storeAt } from '../../test/store-file.ts';

describe('the record of a run', () => {
  test('comes back as it was put, and a later one of the run takes its place', () => {
    const { outcomes } = storeAt(':memory:').team;
    expect(outcomes.get('run')).toBeUndefined();
    const record = { tasks: [{ id: 'a', kind: 'done' }], note: '\ud800' };
    outcomes.put('run', record);
    outcomes.put('\ud800', 1);
    outcomes.put('\udfff', 2);
    expect(outcomes.get('run')).toMatchObject({ record, recordedAt: expect.any(String) });
    outcomes.put('run', { tasks: [] });
    expect(outcomes.get('run')).toMatchObject({ record: { tasks: [] } });
    expect([outcomes.get('\ud800')?.record, outcomes.get('\udfff')?.record]).toEqual([1, 2]);
  });

  test('what is no JSON is refused, and the one before stays', () => {
    const { outcomes } = storeAt(':memory:').team;
    outcomes.put('run', 1);
    for (const record of [undefined, 1n])
      expect(() => outcomes.put('run', record)).toThrow(
        expect.objectContaining({ code: 'STORE_NOT_JSON' }),
      );
    expect(outcomes.get('run')).toMatchObject({ record: 1 });
  });
});
