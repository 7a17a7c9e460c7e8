import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { absent, type Row, type Size } from '../row.ts';
import { CONTENDERS, type Contender } from './contenders.ts';
import { restartPlan } from './plan.ts';
import { type Figures, figuresOf, readTruth } from './truth.ts';

/** Ends after which the driver is killed. */
const KILLED_AFTER = { full: 40, small: 1 };

const LOOK_MS = 5;

/** Sixty tasks, a driver that is killed with SIGKILL after forty of them, and what it makes of the rest. */
export async function restartBench(size: Size): Promise<Row[]> {
  const rows: Row[] = [];
  for (const contender of CONTENDERS) {
    if (!contender.isThere()) rows.push(absent('restart', contender.name, 's'));
    else rows.push(await tried(contender, size));
  }
  return rows;
}

async function tried(contender: Contender, size: Size): Promise<Row> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-restart-')));
  const plan = restartPlan(size);
  try {
    contender.prepare(folder, plan);
    const truth = join(folder, 'work/truth');
    const began = performance.now();
    const first = contender.start(folder);
    const killedAfter = await untilEnds(truth, first, KILLED_AFTER[size]);
    await killed(first, folder);
    const second = contender.start(folder);
    await exited(second);
    const tasks = plan.tasks.map(({ id }) => String(id));
    // A worker that nobody watches is waited for, too.
    const everyEnd = () => readTruth(truth).filter(({ kind }) => kind === 'end').length;
    const starts = () => readTruth(truth).length - everyEnd();
    while (everyEnd() < starts()) await sleep(LOOK_MS);
    const seconds = (performance.now() - began) / 1000;
    const note = text(figuresOf(readTruth(truth), tasks, killedAfter));
    return { bench: 'restart', name: contender.name, value: seconds, unit: 's', note };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const text = (figures: Figures): string =>
  `ran twice ${figures.ranTwice}, at the same time ${figures.overlapped}, adopted ${figures.adopted} of ${figures.inFlight}, lost ${figures.lost}`;

async function untilEnds(truth: string, driver: ChildProcess, ends: number): Promise<number> {
  for (;;) {
    const lines = readTruth(truth);
    if (lines.filter(({ kind }) => kind === 'end').length >= ends) return lines.length;
    if (driver.exitCode !== null) throw new Error('the driver ended before it could be killed');
    await sleep(LOOK_MS);
  }
}

/** The driver, and the program that it drives where that is another process; never their workers. */
async function killed(child: ChildProcess, folder: string): Promise<void> {
  const gone = exited(child);
  child.kill('SIGKILL');
  const driver = join(folder, 'driver');
  if (existsSync(driver)) process.kill(Number(readFileSync(driver, 'utf8')), 'SIGKILL');
  await gone;
}

const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.once('exit', () => resolve()));

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
