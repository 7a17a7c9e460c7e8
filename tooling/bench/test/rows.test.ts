import { describe, expect, it } from 'vitest';
import { parseArguments } from '../src/arguments.ts';
import { listSchedule, listScheduleOfWaves } from '../src/makespan/list-schedule.ts';
import { renderTable } from '../src/render-table.ts';
import { absent, held, type Row } from '../src/row.ts';
import { amidFloors, percentile, ratioOf, takeTurns } from '../src/timing.ts';

const row = (ratio?: number): Row => ({
  ...{ bench: 'b', name: 'n', value: 1234.56, unit: 'ms' },
  ...(ratio === undefined ? {} : { ratio }),
});

describe('a row', () => {
  it('keeps a bound up to the bound itself, from the side that it is meant', () => {
    const met = (ratio: number | undefined, bound: Parameters<typeof held>[1]) =>
      held(row(ratio), bound).met;
    expect([1.02, 1.021].map((ratio) => met(ratio, { atMost: 1.02 }))).toEqual([true, false]);
    expect([0.4, 0.399].map((ratio) => met(ratio, { atLeast: 0.4 }))).toEqual([true, false]);
  });

  it('keeps no bound without a ratio, nor when its work was not done', () => {
    expect(held(row(), { atMost: 1 }).met).toBe(false);
    expect(held({ ...row(1), met: false }, { atMost: 1 }).met).toBe(false);
  });

  it('is a line of the table, columns aligned, with what is missing said', () => {
    const rows = [held(row(1.5), { atMost: 1.02 }), held(row(1), { atLeast: 0.4 })];
    expect(renderTable([...rows, absent('b', 'longer', 's')])).toBe(
      [
        'bench  figure  value  unit  ratio  bound            note',
        'b      n        1235  ms     1.50  <= 1.02  MISSED',
        'b      n        1235  ms     1.00  >= 0.4   kept',
        'b      longer      -  s                             not installed here',
        '',
      ].join('\n'),
    );
  });
});

describe('the command line', () => {
  const known = ['fold', 'spawn'];

  it('runs all benches, or the named ones in their own order', () => {
    expect(parseArguments([], known)).toEqual({ benches: known, size: 'full' });
    expect(parseArguments(['--small', 'spawn', 'fold'], known)).toEqual({
      benches: known,
      size: 'small',
    });
    expect(parseArguments(['--', 'spawn'], known).benches).toEqual(['spawn']);
  });

  it('takes a file for the JSON, but no bench for a file', () => {
    expect(parseArguments(['--json', 'out.json'], known).json).toEqual({ file: 'out.json' });
    expect(parseArguments(['--json', 'fold'], known)).toEqual({
      ...{ benches: ['fold'], size: 'full' },
      json: {},
    });
  });

  it('refuses what it does not know', () => {
    expect(() => parseArguments(['fodl'], known)).toThrow(/"fodl".*fold, spawn/u);
  });
});

describe('a list schedule', () => {
  const job = (key: string, ms: number, ...after: string[]) => ({ key, ms, after });

  it('starts the first job that waits for nothing whenever a slot is free', () => {
    expect(listSchedule([job('a', 3), job('b', 1), job('c', 1), job('d', 2)], 2)).toBe(4);
    expect(listSchedule([job('a', 5), job('b', 1, 'a'), job('c', 4)], 2)).toBe(6);
  });

  it('of waves begins a wave when the one before it has ended', () => {
    const waves = [[job('a', 3), job('b', 1)], [job('c', 2, 'b')]];
    expect(listScheduleOfWaves(waves, 2)).toBe(5);
    expect(listSchedule(waves.flat(), 2)).toBe(3);
  });

  it('refuses jobs that wait for each other', () => {
    expect(() => listSchedule([job('a', 1, 'b'), job('b', 1, 'a')], 2)).toThrow(/each other/u);
  });
});

describe('timing', () => {
  it('takes turns in turning order and does not count the first of several rounds', async () => {
    const order: string[] = [];
    const contender = (name: string) => async (round: number) => {
      order.push(name);
      return round;
    };
    const times = await takeTurns(2, { a: contender('a'), b: contender('b') });
    expect(order.join('')).toBe('abbaab');
    expect(times).toEqual({ a: [1, 2], b: [1, 2] });
    expect(await takeTurns(1, { a: contender('a') })).toEqual({ a: [1] });
  });

  it('puts the floor before and after each contender', async () => {
    const floors = [1, 3, 9];
    const floor = async () => floors.shift() ?? Number.NaN;
    const contenders = new Map([
      ['a', async () => 4],
      ['b', async () => 6],
    ]);
    const turns = await amidFloors(1, floor, contenders);
    expect(turns.get('a')).toEqual([{ ms: 4, floorMs: 2 }]);
    expect(turns.get('b')).toEqual([{ ms: 6, floorMs: 6 }]);
    expect(floors).toEqual([]);
  });

  it('compares round with round', () => {
    expect(ratioOf([2, 30, 8], [1, 10, 2])).toBe(3);
    expect(percentile([3, 1, 2], 0.5)).toBe(2);
    expect(percentile([], 0.5)).toBeNaN();
  });
});
