import { isAbsolute } from 'node:path';
import type { Transport, WorkOrder } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { adoptWorker } from './adopt.ts';
import { spoolOf } from './attempt-folder.ts';
import { attemptHandle } from './attempt-handle.ts';
import { CliTransportError } from './cli-error.ts';
import { isFakeRunner, playAttempt } from './fake-runner.ts';
import { assertAgentConfined } from './gate.ts';
import { launch } from './launch.ts';
import { type CliTransportOptions, settingsOf } from './options.ts';

/** Without it nobody can tell a worker of an earlier host from a later process with its number. */
const CAN_ADOPT = process.platform === 'linux';

/**
 * A transport whose attempts are supervised processes of an agent's program. A worker survives this process
 * and is found again by `adopt`. Throws `UNSANDBOXED_REAL_RUN`, `UNSANDBOXED_BYPASS` or `INVALID_LIMIT`.
 */
export function cliTransport(options: CliTransportOptions): Transport {
  const settings = settingsOf(options);
  const { agent, confinement } = settings;
  assertAgentConfined(agent, confinement);
  return {
    name: `cli:${agent.name}`,
    capabilities: { adopt: CAN_ADOPT, stop: 'kills', activity: true },
    async start(order, signal) {
      signal.throwIfAborted();
      const folder = spoolOf(settings.runDir, order.task.id, order.attempt);
      if (isFakeRunner(confinement)) {
        const { workspace = settings.runDir } = order;
        const place = { worktree: workspace, home: folder.home, replyFile: folder.replyFile };
        return playAttempt(confinement, agent, order, place);
      }
      const launched = await launch({ order, folder, worktree: workspaceOf(order) }, settings);
      const handle = attemptHandle({ order, folder, ...launched, origin: 'started' }, settings);
      if (signal.aborted) {
        await handle.stop('no longer wanted');
        signal.throwIfAborted();
      }
      return handle;
    },
    ...(CAN_ADOPT ? { adopt: (order: WorkOrder) => adoptWorker(order, settings) } : {}),
  };
}

/** Throws `NO_WORKSPACE`: a worker without a folder of its own would work in the host's. */
function workspaceOf({ workspace, task }: WorkOrder): string {
  if (workspace !== undefined && isAbsolute(workspace)) return workspace;
  throw new CliTransportError(
    'NO_WORKSPACE',
    `attempt of task ${printable(task.id)} has no folder to work in`,
    'Put the transport behind one that makes a worktree per attempt and sets `workspace` to its absolute path.',
  );
}
