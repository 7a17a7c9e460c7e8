import { type Clock, pollingTransport, type Transport } from '../../src/index.ts';
import type { JobTable } from './job-table.ts';

/** `pollingTransport` over a table of jobs. */
export const polledJobs = (table: JobTable, clock: Clock): Transport =>
  pollingTransport({
    clock,
    spawn: (_task, _attempt, order) => table.add(order),
    poll(task, attempt) {
      const state = table.read({ task, attempt });
      if (state?.kind === 'failed') throw new Error(state.detail);
      return state?.kind === 'replied' ? state.reply : undefined;
    },
    cancel: (task, attempt) => table.cancel({ task, attempt }),
  });
