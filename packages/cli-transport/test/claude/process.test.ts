import { join } from 'node:path';
import type { AttemptReport } from '@atelier/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliTransportOptions, claudeAgent, type WorkerSignal } from '../../src/index.ts';
import { textOf, until } from '../living.ts';
import { SANDBOXED, type Stage, spool, stage } from '../stage.ts';

const says = (event: object) => `printf '%s\\n' '${JSON.stringify(event)}'`;

const usage = { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 7 };
const part = (id: string, name: string) =>
  says({ type: 'assistant', message: { id, content: [{ type: 'tool_use', name }], usage } });

/** Two messages, one of them in two parts. */
const WORKS = [part('m-1', 'Bash'), part('m-1', 'Edit'), part('m-2', 'Write')].join('\n');
const KNOWN = { inputTokens: 200, cacheReadTokens: 14 };

const RECORD = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  structured_output: { a: 1 },
  usage: { ...usage, input_tokens: 200, output_tokens: 90 },
};
const HANGS = 'while :; do sleep 0.05; done';

let on: Stage;
beforeEach(() => {
  on = stage(SANDBOXED);
});
afterEach(() => on.close());

const agentOf = (program: string) => claudeAgent({ program, apiKey: 't' });

const begin = (body: string, limits: CliTransportOptions['limits'] = {}, wallClockMs = 60_000) =>
  on.start(on.transport('', { agent: agentOf(on.script(body)), limits }), { wallClockMs });

const reportOf = async (...given: Parameters<typeof begin>): Promise<AttemptReport> =>
  (await begin(...given)).report;

describe('programs that print like claude and behave otherwise', () => {
  it.each([
    ['O-10: hangs after its result: ended, and the reply counts', 'O-10-hang-after-result.sh'],
    ['O-13: reads its input to the end before it answers', 'O-13-reads-stdin-to-eof.sh'],
  ])('%s', async (_, name) => {
    const agent = agentOf(join(import.meta.dirname, 'fixtures', name));
    const handle = await on.start(on.transport('', { agent }));
    expect(await handle.report).toMatchObject({
      kind: 'replied',
      reply: { task_id: 'T-1', attempt: 1, status: 'done' },
    });
  });
});

describe('the usage of an attempt', () => {
  it('is in the report of a worker that was stopped, as far as it is known', async () => {
    const handle = await begin(`${WORKS}\n${HANGS}`);
    const told = new Promise<void>((resolve) =>
      handle.subscribe?.((signal) => {
        const { kind, usage } = signal as { kind: string; usage?: { inputTokens?: number } };
        if (kind === 'usage' && usage?.inputTokens === 200) resolve();
      }),
    );
    await told;
    await handle.stop('enough');
    expect(await handle.report).toEqual({
      kind: 'failed',
      cause: 'interrupted',
      detail: 'ended: enough',
      usage: KNOWN,
    });
  });

  it('is in that of one whose time was up', async () => {
    expect(await reportOf(`${WORKS}\n${HANGS}`, { orphanGraceMs: 0 }, 3_000)).toMatchObject({
      cause: 'timeout',
      usage: KNOWN,
    });
  });

  it('is in that of one that died', async () => {
    expect(await reportOf(`${WORKS}\nkill -KILL $$`)).toMatchObject({
      cause: 'exit',
      detail: expect.stringContaining('SIGKILL'),
      usage: KNOWN,
    });
  });

  it('is in that of one that printed too much', async () => {
    const floods = `yes | head -c 300000`;
    expect(await reportOf(`${WORKS}\n${floods}`, { stdoutBytes: 200_000 })).toMatchObject({
      cause: 'output-limit',
      usage: KNOWN,
    });
  });

  it('is that of the final record, once there is one', async () => {
    expect(await reportOf(`${WORKS}\n${says(RECORD)}`)).toEqual({
      kind: 'replied',
      reply: { a: 1 },
      usage: { inputTokens: 200, cacheReadTokens: 7, outputTokens: 90 },
    });
  });

  it('is that of a record of an error, too', async () => {
    const record = says({ ...RECORD, is_error: true });
    expect(await reportOf(`${WORKS}\n${record}\nexit 3`)).toMatchObject({
      cause: 'exit',
      usage: { inputTokens: 200, outputTokens: 90 },
    });
  });

  it('is absent, never 0, of one that told nothing', async () => {
    expect(await reportOf('exit 1')).not.toHaveProperty('usage');
  });

  it('is counted from the start by a host that adopts the worker', async () => {
    await begin(`${WORKS}\n${HANGS}`);
    await until(() => textOf(spool(on).stdout).split('\n').length > 3);
    const again = on.transport('', { agent: agentOf('true') });
    const adopted = await again.adopt?.(on.order(), new AbortController().signal);
    await adopted?.stop('enough');
    expect(await adopted?.report).toMatchObject({ cause: 'interrupted', usage: KNOWN });
  });

  it('a listener hears of tools and files, in order', async () => {
    const signals: WorkerSignal[] = [];
    const handle = await begin(`sleep 0.3\n${WORKS}`);
    handle.subscribe?.((signal) => signals.push(signal as WorkerSignal));
    await handle.report;
    expect(signals.flatMap((one) => (one.kind === 'tool' ? one.tool : []))).toEqual([
      'Bash',
      'Edit',
      'Write',
    ]);
    expect(signals.map(({ kind }) => kind)).toContain('output');
  });
});
