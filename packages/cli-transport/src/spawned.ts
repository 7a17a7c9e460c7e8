import type { ChildProcess } from 'node:child_process';
import { printable } from '@atelier/envelope';
import { CliTransportError } from './cli-error.ts';

/** Resolves once a child runs; rejects with `SPAWN_FAILED`. */
export const spawned = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(
        new CliTransportError(
          'SPAWN_FAILED',
          `no process could be started: ${printable(error)}`,
          'Look at the limits of processes and memory, and that the worktree exists.',
          error,
        ),
      ),
    );
  });
