import { statfs } from 'node:fs/promises';
import type { Gate } from '@atelier/engine';
import { printable } from '@atelier/envelope';

/** Less than this and an attempt can neither begin nor save its work: every task would lose its attempts to it. */
const LEAST_BYTES = 100_000_000;

/**
 * A gate that lets nothing be charged while a disk is as good as full. The run is parked: what is there is kept, and
 * resuming goes on once there is room. Where that can not be told it does not stand in the way.
 */
export const withRoom =
  (
    folders: readonly string[],
    gate: Gate | undefined,
    measure: (folder: string) => Promise<number> = bytesLeft,
  ): Gate =>
  async (request) => {
    for (const folder of folders) {
      const left = await measure(folder);
      if (left >= LEAST_BYTES) continue;
      const detail = `only ${Math.floor(left / 1_000_000)} MB are left on the disk of ${printable(folder, 200)}`;
      return { kind: 'park', cause: 'no-room', detail };
    }
    return gate ? gate(request) : { kind: 'go' };
  };

const bytesLeft = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  );
