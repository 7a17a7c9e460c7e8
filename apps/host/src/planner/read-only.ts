import type { AttemptHandle, AttemptReport, Transport, WorkOrder } from '@atelier/engine';
import type { Scratch } from '@atelier/worktrees';

/** Failures that the run must hear of whatever else went wrong. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set([
  'usage-limit',
  'account',
  'overloaded',
  'unstoppable',
]);

/**
 * A transport whose workers all read one checkout. Walls keep them from writing to it; where there are none, a worker that
 * has changed a file has failed, and `who` is told to have changed it. It adopts nobody: what lost its host is given up.
 */
export function readOnly(transport: Transport, checkout: Scratch, who: string): Transport {
  const { release } = transport;
  return {
    name: transport.name,
    capabilities: { ...transport.capabilities, adopt: false },
    async start(order, signal) {
      const placed: WorkOrder = {
        ...order,
        workspace: checkout.path,
        frozen: checkout.frozen,
        readOnly: true,
      };
      return watched(await transport.start(placed, signal), () => changeOf(checkout, who));
    },
    ...(release && {
      release: (attempt: Parameters<typeof release>[0]) => release.call(transport, attempt),
    }),
  };
}

function watched(inner: AttemptHandle, change: () => Promise<string | undefined>): AttemptHandle {
  const { activity, worker } = inner;
  return {
    report: inner.report.then(async (report) => judged(report, await change())),
    async peek() {
      const seen = await inner.peek();
      return seen === undefined || (await change()) === undefined ? seen : undefined;
    },
    stop: (reason) => inner.stop(reason),
    ...(worker === undefined ? {} : { worker }),
    ...(activity && { activity: () => activity.call(inner) }),
  };
}

/** What was changed, in words. Never rejects. */
async function changeOf(checkout: Scratch, who: string): Promise<string | undefined> {
  try {
    const changed = await checkout.changes();
    return changed.length > 0 ? `${who} changed files of the project` : undefined;
  } catch (error) {
    return `the project can not be read any more: ${error instanceof Error ? error.message : error}`;
  }
}

function judged(report: AttemptReport, change: string | undefined): AttemptReport {
  if (change === undefined) return report;
  if (report.kind === 'failed' && ALWAYS_TOLD.has(report.cause))
    return { ...report, detail: `${report.detail}; ${change}` };
  const { usage } = report;
  return { kind: 'failed', cause: 'write-scope', detail: change, ...(usage && { usage }) };
}
