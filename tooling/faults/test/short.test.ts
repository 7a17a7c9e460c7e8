import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainsOf } from '../src/chains.ts';
import { summaryOf } from '../src/summary.ts';
import { runTrial, type TrialEnd } from '../src/trial.ts';
import { twoAtATime } from '../src/two-at-a-time.ts';
import { type Survey, survey } from '../src/uninterrupted.ts';

const KILLS = 50;

describe('O-47, O-48: a host that is killed fifty times', () => {
  let surveyed: Survey;
  const ends: TrialEnd[] = [];

  beforeAll(async () => {
    surveyed = await survey('short');
    await twoAtATime(chainsOf(surveyed, { seed: 5, kills: KILLS }), async (trial) => {
      ends.push(await runTrial(trial, surveyed));
    });
  }, 900_000);

  afterAll(() => console.log(summaryOf(ends).join('\n')));

  const all = (of: (end: TrialEnd) => unknown) =>
    ends
      .filter((end) => of(end) !== 0)
      .map(({ name, kills, findings }) => ({ name, kills, findings }));

  it('is killed at most of the places it was to be killed at', () => {
    expect(ends.flatMap(({ kills }) => kills).length).toBeGreaterThan(0.8 * KILLS);
  });

  it('always reaches the end of the run', () => {
    expect(ends.flatMap(({ stranded }) => stranded)).toEqual([]);
  });

  it('loses no task', () => expect(all(({ figures }) => figures.lost)).toEqual([]));
  it('executes and charges no attempt twice, and never two of a task at once', () =>
    expect(all(({ figures }) => figures.doubled)).toEqual([]));
  it('merges nothing twice', () => expect(all(({ figures }) => figures.mergedTwice)).toEqual([]));
  it('executes nothing that was not charged, and keeps every budget', () =>
    expect(all(({ figures }) => figures.overBudget)).toEqual([]));
  it('leaves no process', () => expect(all(({ figures }) => figures.processesLeft)).toEqual([]));
  it('leaves no worktree, registration or lock', () =>
    expect(all(({ figures }) => figures.worktreesLeft)).toEqual([]));
  it('throws no work away that was begun or handed in', () =>
    expect(all(({ figures }) => figures.wasted)).toEqual([]));
  it('comes to the files of an uninterrupted run', () =>
    expect(all(({ figures }) => figures.differs)).toEqual([]));
});
