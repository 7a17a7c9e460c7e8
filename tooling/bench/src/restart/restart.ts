import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTENDERS, type Contender } from './contenders.ts';
import { restartPlan } from './plan.ts';
import { type Figures, figuresOf, readTruth } from './truth.ts';

/** Ends after which the driver is killed. */
const KILLED_AFTER = 40;

const LOOK_MS = 5;

/** Sixty tasks, a driver that is killed with SIGKILL after forty of them, and what it makes of the rest. */
export async function restartBench(): Promise<string[]> {
  const lines = [
    'restart: 60 tasks, two waves, five wide; driver killed after 40 ends, started again at once',
  ];
  for (const contender of CONTENDERS) {
    if (!contender.isThere()) lines.push(`  ${contender.name}: not installed here`);
    else lines.push(`  ${contender.name}: ${await tried(contender)}`);
  }
  return lines;
}

async function tried(contender: Contender): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-restart-')));
  try {
    contender.prepare(folder);
    const truth = join(folder, 'work/truth');
    const began = performance.now();
    const first = contender.start(folder);
    const killedAfter = await untilEnds(truth, first);
    await killed(first, folder);
    const second = contender.start(folder);
    await exited(second);
    const tasks = restartPlan().map(({ id }) => String(id));
    // A worker that nobody watches is waited for, too.
    const everyEnd = () => readTruth(truth).filter(({ kind }) => kind === 'end').length;
    const starts = () => readTruth(truth).length - everyEnd();
    while (everyEnd() < starts()) await sleep(LOOK_MS);
    const seconds = (performance.now() - began) / 1000;
    return text(figuresOf(readTruth(truth), tasks, killedAfter), seconds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const text = (figures: Figures, seconds: number): string =>
  `ran twice ${figures.ranTwice}, at the same time ${figures.overlapped}, adopted ${figures.adopted} of ${figures.inFlight}, lost ${figures.lost}, ${seconds.toFixed(1)} s`;

async function untilEnds(truth: string, driver: ChildProcess): Promise<number> {
  for (;;) {
    const lines = readTruth(truth);
    if (lines.filter(({ kind }) => kind === 'end').length >= KILLED_AFTER) return lines.length;
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
