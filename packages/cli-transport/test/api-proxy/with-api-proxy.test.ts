import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type AttemptHandle,
  type AttemptReport,
  manualClock,
  scriptedTransport,
  type Transport,
  type WorkOrder,
} from '@atelier/engine';
import { expect, it } from 'vitest';
import type { ApiProxy } from '../../src/api-proxy/api-proxy.ts';
import { attemptToken } from '../../src/api-proxy/attempt-token.ts';
import { withApiProxy } from '../../src/api-proxy/with-api-proxy.ts';
import { machineClock } from '../../src/machine-clock.ts';
import { rig, says, WALL } from './rig.ts';

const ORDER: WorkOrder = {
  ...{ runId: 'r', attempt: 1, nonce: 'worker-1', briefing: '', wallClockMs: 60_000 },
  task: { id: 'T-1', parallel_group: 1 },
};
const FAILED: AttemptReport = { kind: 'failed', cause: 'exit', detail: 'exit 1' };
const never = new AbortController().signal;

/** A worker that asks the model, over the socket, with its token. */
const ask = (proxy: ApiProxy, nonce: string = ORDER.nonce): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-api-key': attemptToken(nonce) };
    const { socketPath } = proxy;
    const sent = request(
      { socketPath, method: 'POST', path: '/v1/messages', headers },
      (answer) => {
        text(answer).then(() => resolve(answer.statusCode ?? 0), reject);
      },
    );
    sent.on('error', reject);
    sent.end('{}');
  });

/** A transport of one worker that ends as it is told to. */
function oneWorker(more: Partial<AttemptHandle> = {}) {
  let end: (report: AttemptReport) => void = () => {};
  const stopped: string[] = [];
  const handle: AttemptHandle = {
    report: new Promise((resolve) => {
      end = resolve;
    }),
    peek: async () => 'peeked',
    stop: async (reason) => {
      stopped.push(reason);
      end({ kind: 'failed', cause: 'interrupted', detail: 'stopped' });
    },
    ...more,
  };
  const transport: Transport = {
    ...{ name: 'one', capabilities: { adopt: true, stop: 'kills', activity: true } },
    start: async () => handle,
    adopt: async () => handle,
  };
  return { transport, stopped, end: (report: AttemptReport) => end(report) };
}

it('a worker is let in from before its start until its report, which has what was metered', async () => {
  const { proxy, up } = await rig();
  up.answers = [says(200, {}, '{"usage":{"input_tokens":5,"output_tokens":6}}')];
  const clock = manualClock();
  const script = () => ({ report: { kind: 'replied', reply: 1 }, afterMs: 100 }) as const;
  const inner = scriptedTransport(script, { clock });
  expect(await ask(proxy)).toBe(401);
  const transport = withApiProxy(inner, proxy);
  expect(transport).toMatchObject({ name: 'scripted', capabilities: inner.capabilities });
  expect(transport).not.toHaveProperty('adopt');
  const handle = await transport.start(ORDER, never);
  expect(await ask(proxy)).toBe(200);
  await clock.advance(100);
  expect(await handle.report).toEqual({
    ...{ kind: 'replied', reply: 1 },
    usage: { inputTokens: 5, outputTokens: 6 },
  });
  expect(await ask(proxy)).toBe(401);
});

it('a start that is rejected leaves no pass behind', async () => {
  const { proxy } = await rig();
  const transport = withApiProxy(
    scriptedTransport(() => ({})),
    proxy,
  );
  await expect(transport.start(ORDER, AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
  expect(await ask(proxy)).toBe(401);
});

it('O-16: a worker that ended because of a limit is a usage limit with its reset', async () => {
  const { proxy, up } = await rig();
  up.answers = [says(429, { 'retry-after': '3600' })];
  const worker = oneWorker();
  const handle = await withApiProxy(worker.transport, proxy).start(ORDER, never);
  expect(await ask(proxy)).toBe(429);
  worker.end(FAILED);
  expect(await handle.report).toEqual({
    ...{ kind: 'failed', cause: 'usage-limit', resumeAt: WALL + 3_600_000 },
    detail: 'the model API met a usage limit: exit 1',
  });
});

it('O-17: a worker whose credential was refused for good is a matter of the account', async () => {
  const { proxy, up } = await rig();
  up.answers = [says(401)];
  const worker = oneWorker();
  const handle = await withApiProxy(worker.transport, proxy).start(ORDER, never);
  expect(await ask(proxy)).toBe(401);
  expect(up.seen.length).toBe(2);
  worker.end(FAILED);
  expect(await handle.report).toMatchObject({ kind: 'failed', cause: 'account' });
});

it('a worker that the run has nothing left for is stopped, and its end is told from one that passed a bound of its own', async () => {
  const { proxy, up } = await rig();
  up.answers = [says(200, {}, '{"usage":{"input_tokens":5000}}')];
  const worker = oneWorker();
  const asked: unknown[] = [];
  const handle = await withApiProxy(worker.transport, proxy, {
    onUsage: ({ task }, usage) => {
      asked.push([task.id, usage]);
      return usage.inputTokens === 5000 ? 'cut' : 'go';
    },
  }).start(ORDER, never);
  // It may have had all of its answer by then.
  await ask(proxy).catch(() => undefined);
  expect(await handle.report).toMatchObject({ cause: 'cut', usage: { inputTokens: 5000 } });
  expect(worker.stopped).toEqual(['it ran past what it may spend']);
  expect(asked[0]).toEqual(['T-1', { inputTokens: 1, outputTokens: 32_000 }]);
  expect(asked[1]).toEqual(['T-1', expect.objectContaining({ inputTokens: 5000 })]);
});

it('a worker that is found again is let in again, for what is left of its wall clock', async () => {
  const { proxy, up } = await rig();
  up.answers = [says(429, { 'retry-after': '2' }), says(200)];
  const worker = oneWorker({ wallClockLeftMs: 1_000, worker: { pid: 7 }, activity: () => 3 });
  const handle = await withApiProxy(worker.transport, proxy).adopt?.(ORDER, never);
  expect(handle).toMatchObject({ wallClockLeftMs: 1_000, worker: { pid: 7 } });
  expect([handle?.activity?.(), await handle?.peek()]).toEqual([3, 'peeked']);
  const signals: unknown[] = [];
  handle?.subscribe?.((signal) => signals.push(signal));
  expect(await ask(proxy)).toBe(429);
  expect(signals).toEqual([{ kind: 'limit', resumeAt: WALL + 2_000 }]);
  await handle?.stop('enough');
  await handle?.report;
  expect(await ask(proxy)).toBe(401);
});

it('nobody is let in for a worker that is not found again', async () => {
  const { proxy } = await rig();
  const { transport } = oneWorker();
  const lost = withApiProxy({ ...transport, adopt: async () => undefined }, proxy);
  expect(await lost.adopt?.(ORDER, never)).toBeUndefined();
  expect(await ask(proxy)).toBe(401);
});

it('a worker that outlived its host waits for the next one to take it over, and is then served', async () => {
  const token = attemptToken(ORDER.nonce);
  const { proxy, up } = await rig({ expected: [token], clock: machineClock });
  const worker = oneWorker();
  const early = ask(proxy);
  expect(await ask(proxy, 'nobody')).toBe(401);
  await withApiProxy(worker.transport, proxy).adopt?.(ORDER, never);
  expect(await early).toBe(200);
  expect(up.seen).toHaveLength(1);
});

it('one that waits in vain is told to try again, and not that its token is bad', async () => {
  const { proxy, up } = await rig({ expected: [attemptToken(ORDER.nonce)] });
  expect(await ask(proxy)).toBe(503);
  const lost = { ...oneWorker().transport, adopt: async () => undefined };
  await withApiProxy(lost, proxy).adopt?.(ORDER, never);
  expect(await ask(proxy)).toBe(401);
  expect(up.seen).toEqual([]);
});
