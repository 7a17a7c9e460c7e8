import { type BarrierCost, barrierCost, toSeedRecord } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { finishedRecord, jsonLine, renderReport } from '@atelier/reporters';
import type { Streams } from '../streams.ts';
import type { Project } from './project.ts';
import type { RepositoryReport } from './run-on-repository.ts';
import type { TakeoverOutcome } from './take-over.ts';

/** What is done is done: a journal that can not be read takes no report away. */
export async function barrierOf(
  { store }: Project,
  runId: string,
  warn: (message: string) => void,
): Promise<BarrierCost | undefined> {
  try {
    return barrierCost(await store.journal.load(runId));
  } catch (error) {
    warn(`what the barrier cost is not known: ${printable(error, 300)}`);
    return undefined;
  }
}

export interface Telling {
  readonly json: boolean;
  readonly confined: boolean;
  readonly taken?: TakeoverOutcome | undefined;
  readonly barrier: BarrierCost | undefined;
}

/** Prints what became of a run. */
export function tell(
  report: RepositoryReport,
  { json, confined, taken, barrier }: Telling,
  { stdout }: Streams,
): void {
  if (json) {
    stdout.write(
      jsonLine(finishedRecord({ ...report, ...taken, barrier }, report.outcomes.map(toSeedRecord))),
    );
    return;
  }
  const runBranch = report.branch.replace('refs/heads/', '');
  stdout.write(
    renderReport(report, {
      runBranch,
      mergeCommand: `atelier merge ${report.runId}`,
      ...taken,
      barrier,
      resumeCommand: `atelier resume ${report.runId}`,
      unsandboxed: !confined,
      ...(stdout.columns === undefined ? {} : { width: stdout.columns }),
    }),
  );
}
