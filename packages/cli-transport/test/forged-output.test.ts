import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Agent, commandAgent } from '../src/index.ts';
import { CONFINEMENTS, envelope, prints, type Stage, stage } from './stage.ts';

describe.each(CONFINEMENTS)('what something else has written for a worker %s', (_, confinement) => {
  let on: Stage;

  beforeEach(() => {
    on = stage(confinement);
  });
  afterEach(() => on.close());

  it.each([
    ['while it works', 'sleep 1000'],
    ['as its last deed', 'exit 0'],
  ])('output that was cut %s is nobody’s, whatever stands there then', async (_, then) => {
    const forge = `: >/proc/$PPID/fd/1; ${prints(envelope())} >/proc/$PPID/fd/1`;
    const body = `head -c 100000 /dev/zero | tr '\\0' y; sleep 0.5; sh -c '${forge.replaceAll("'", `'\\''`)}' | cat; ${then}`;
    expect(await on.play(body)).toMatchObject({
      ...{ kind: 'failed', cause: 'no-reply' },
      detail: expect.stringContaining('was cut'),
    });
  });

  it('no word of a program parks a run beyond bounds, or uses up what nobody can', async () => {
    const usage = { outputTokens: 1_000, costUsd: 9e11 };
    const agent: Agent = {
      ...commandAgent({ program: on.script('exit 1') }),
      report: () => ({
        ...{ kind: 'failed', cause: 'usage-limit', detail: 'says so', usage },
        resumeAt: 9_999_999_999_999,
      }),
    };
    const report = await on.play('exit 1', { agent });
    expect(report).toMatchObject({ cause: 'usage-limit', usage: { ...usage, costUsd: 0.1 } });
    const days = ((report.kind === 'failed' && report.resumeAt) || 0) - Date.now();
    expect(Math.round(days / 86_400_000)).toBe(35);
  });
});
