import { join } from 'node:path';
import type { AttemptReport } from '@atelier/engine';
import { describe, expect, it } from 'vitest';
import { orderOf } from './attempt.ts';
import { type RigOptions, rig } from './rig.ts';

/** What an attempt of a script that stands in for the program amounts to. */
async function reportOf(script: string, limits: RigOptions['limits'] = {}): Promise<AttemptReport> {
  const stand = await rig({ program: join(import.meta.dirname, 'fixtures', script), limits });
  try {
    const handle = await stand.transport.start(orderOf(''), new AbortController().signal);
    return await handle.report;
  } finally {
    await stand.close();
  }
}

const DONE = { kind: 'replied', reply: { task_id: 'T-1', attempt: 1, status: 'done' } };

describe('programs that print like claude and behave otherwise', () => {
  it('O-10: hangs after its result: ended, and the reply counts', async () => {
    expect(await reportOf('O-10-hang-after-result.sh', { drainMs: 200 })).toMatchObject(DONE);
  });

  it('O-13: reads its input to the end before it answers', async () => {
    expect(await reportOf('O-13-reads-stdin-to-eof.sh')).toMatchObject(DONE);
  });
});
