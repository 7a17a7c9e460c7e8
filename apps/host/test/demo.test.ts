import { expect, it } from 'vitest';
import { scene } from './host-process.ts';

it('atelier demo ends as its plan intends: a retry, a worker that gives up, a dependent that cascades', async () => {
  const at = scene();
  const ended = await at.atelier(['demo']);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/7 of 9 tasks done, 11 attempts charged/);
  expect(ended.stdout).toMatch(/glossary +done +2 /);
  expect(ended.stdout).toMatch(/prices +worker-abandon blocked/);
  expect(ended.stdout).toMatch(/shopping +engine-abandon blocked by prices/);
  expect(ended.stdout).toMatch(/Merge task index/);
});

it('atelier doctor tells what a run needs', async () => {
  const at = scene();
  const ended = await at.atelier(['doctor']);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toMatch(/ok {4}git/);
  expect(ended.stdout).toMatch(/ok {4}sandbox: sandboxed/);
  const nowhere = await at.atelier(['doctor', '--repo', '/usr']);
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toMatch(/FAULT.*repository/);
});
