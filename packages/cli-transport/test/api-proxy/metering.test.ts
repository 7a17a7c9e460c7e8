import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Usage } from '@atelier/engine';
import { expect, it } from 'vitest';
import { type Answer, leapingClock, rig, says, TOKEN } from './rig.ts';

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

const event = (data: unknown): string => `event: x\ndata: ${JSON.stringify(data)}\n\n`;

const START = event({
  type: 'message_start',
  message: {
    usage: {
      ...{ input_tokens: 100, output_tokens: 1 },
      ...{ cache_read_input_tokens: 50, cache_creation_input_tokens: 7 },
    },
  },
});
const DELTA = event({
  type: 'content_block_delta',
  delta: { type: 'text_delta', text: 'x'.repeat(400) },
});
const END = event({ type: 'message_delta', delta: {}, usage: { output_tokens: 120 } });

const streams =
  (...pieces: string[]): Answer =>
  (response) => {
    response.writeHead(200, STREAM);
    for (const piece of pieces) response.write(piece);
    response.end();
  };

it('anthropic: the usage of streams and of plain JSON is summed; what was estimated gives way to what is told', async () => {
  const { call, up, pass } = await rig();
  up.answers = [
    streams(START, DELTA, END),
    says(200, {}, JSON.stringify({ usage: { input_tokens: 10, output_tokens: 20 } })),
  ];
  const { body } = await call();
  expect(body).toBe(START + DELTA + END);
  const once = { inputTokens: 100, outputTokens: 120, cacheReadTokens: 50, cacheWriteTokens: 7 };
  expect(pass.record().usage).toEqual(once);
  await call();
  expect(pass.record().usage).toEqual({ ...once, inputTokens: 110, outputTokens: 140 });
});

it('openai: what was read from the cache, and written to it, is told apart from the input', async () => {
  const { call, up, pass } = await rig({ dialect: 'openai' });
  const usage = {
    ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 } },
    ...{ output_tokens: 30 },
  };
  up.answers = [
    streams(
      event({ type: 'response.created', response: { usage: null } }),
      event({ type: 'response.output_text.delta', delta: 'x'.repeat(4000) }),
      event({ type: 'response.completed', response: { usage, output: ['y'.repeat(1024 * 1024)] } }),
    ),
  ];
  await call({ path: '/responses', headers: { authorization: `Bearer ${TOKEN}` } });
  expect(pass.record().usage).toEqual({
    ...{ inputTokens: 30, outputTokens: 30 },
    ...{ cacheReadTokens: 60, cacheWriteTokens: 10 },
  });
});

it('a stream that breaks: what it had told, and an estimate of what it had written', async () => {
  const { open, up, pass } = await rig();
  let breakOff = () => {};
  up.answers = [
    (response, incoming) => {
      response.writeHead(200, STREAM);
      response.write(START + DELTA);
      breakOff = () => incoming.socket.resetAndDestroy();
    },
  ];
  const answer = await open();
  let read = '';
  const reading = (async () => {
    for await (const piece of answer) {
      read += piece;
      if (read === START + DELTA) breakOff();
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(pass.record().usage).toMatchObject({ inputTokens: 100, outputTokens: 101 });
});

it.each<[string, Answer, Usage]>([
  [
    'garbage',
    streams('data: {"usage":\n\ndata: [1]\n\n: hi\n\ndata: null\n\n', 'x'.repeat(100)),
    {},
  ],
  [
    'numbers that are none',
    streams(event({ usage: { input_tokens: -1, output_tokens: '7' } })),
    {},
  ],
  ['a prototype', streams(event({ __proto__: null, delta: 7, message: 'x', usage: [] })), {}],
  ['HTML', says(200, { 'content-type': 'text/html' }, '<p>'), { outputTokens: 1 }],
  ['JSON that is cut', says(200, {}, '{"usage":{"input_tokens":1'), { outputTokens: 7 }],
])('%s passes unchanged, and is estimated: never nothing', async (_, answer, written) => {
  const { call, up, pass } = await rig();
  up.answers = [answer];
  await call();
  // Fifteen bytes of a request.
  expect(pass.record().usage).toEqual({ inputTokens: 4, ...written });
});

it('what was not served costs nothing: errors, retries, an API that is not there', async () => {
  const { call, up, pass } = await rig();
  up.answers = [says(400, {}, '{"usage":{"input_tokens":1}}'), says(529)];
  expect([(await call()).status, (await call()).status]).toEqual([400, 529]);
  await up.stop();
  expect((await call()).status).toBe(502);
  expect(pass.record().usage).toEqual({});
});

/** The first request of a proxy is left as soon as the API has what is asked. */
async function leftEarly(options: Parameters<typeof rig>[0], body: string, wait = async () => {}) {
  const at = await rig(options);
  const left = new Promise<void>((resolve) => {
    at.up.answers = [
      async (response) => {
        response.once('close', resolve);
        if (body.includes('stream')) {
          response.writeHead(200, STREAM);
          response.write(event({ type: 'response.created', response: { usage: null } }));
        }
        await wait();
        sent.destroy();
      },
    ];
  });
  const { socketPath } = at.proxy;
  const path = options?.dialect === 'openai' ? '/v1/responses' : '/v1/messages';
  const headers = { 'x-api-key': TOKEN };
  const sent = request({ socketPath, method: 'POST', path, headers, agent: false });
  sent.on('error', () => undefined);
  sent.on('response', (answer) => answer.on('error', () => undefined).resume());
  sent.end(body);
  await left;
  return at;
}

it('a request that is left before its answer counts as what it asked for', async () => {
  const body = JSON.stringify({ max_tokens: 64_000, messages: 'x'.repeat(4_000) });
  const { pass } = await leftEarly({}, body);
  expect(pass.record().usage).toEqual({ inputTokens: 1009, outputTokens: 64_000 });
});

it('a stream that is left before the API tells counts its request, and what may be written unseen', async () => {
  const body = JSON.stringify({ stream: true, input: 'x'.repeat(4_000) });
  let now = 0;
  const clock = { ...leapingClock(), now: () => now };
  const { pass } = await leftEarly({ dialect: 'openai', clock }, body, async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    now = 20_000;
  });
  expect(pass.record().usage).toEqual({ inputTokens: 1007, outputTokens: 1_000 });
});

it('requests in flight when a worker is cut are in its record, and what is too much is not sent', async () => {
  const { call, open, up, pass } = await rig({
    terms: { onUsage: ({ outputTokens = 0 }) => (outputTokens > 100_000 ? 'cut' : 'go') },
  });
  up.answers = [() => undefined];
  const body = JSON.stringify({ max_tokens: 40_000 });
  const cut = [open({ body }), open({ body })].map((one) => one.catch(() => 'cut'));
  while (up.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(call({ body })).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await Promise.all(cut)).toEqual(['cut', 'cut']);
  expect(up.seen.length).toBe(2);
  expect(pass.record()).toMatchObject({
    ...{ wasCut: true, cutWhy: 'it ran past what it may spend' },
    usage: { outputTokens: 80_000 },
  });
});

it.each([
  ['output', { output_tokens: 11 }],
  ['input', { input_tokens: 51, cache_read_input_tokens: 500, output_tokens: 9 }],
])(
  'without any budget: past its ceiling of %s tokens a worker is cut, and told why',
  async (kind, usage) => {
    let why = '';
    const { open, call, up } = await rig({
      limits: { outputTokens: 10, inputTokens: 100 },
      terms: {
        onCut: (told) => {
          why = told;
        },
      },
    });
    up.answers = [says(200, {}, JSON.stringify({ usage }))];
    await open()
      .then(text)
      .catch(() => undefined);
    expect(why).toMatch(
      new RegExp(`^it ran past the \\d+ ${kind} tokens that any attempt may use$`),
    );
    expect((await call()).status).toBe(403);
  },
);

it('a runaway is cut in the middle of its stream, and gets nothing more', async () => {
  const told: Usage[] = [];
  let cuts = 0;
  const { open, call, up, pass } = await rig({
    terms: {
      onUsage: (usage) => {
        told.push(usage);
        return (usage.outputTokens ?? 0) > 1_000 ? 'cut' : 'go';
      },
      onCut: () => {
        cuts += 1;
      },
    },
  });
  const left = new Promise<void>((resolve) => {
    up.answers = [
      (response) => {
        response.on('close', resolve);
        response.writeHead(200, STREAM);
        response.write(START);
        const more = setInterval(() => response.write(DELTA), 1);
        response.on('close', () => clearInterval(more));
      },
    ];
  });
  await expect(text(await open())).rejects.toMatchObject({ code: 'ECONNRESET' });
  await left;
  expect(cuts).toBe(1);
  expect(told.map(({ outputTokens }) => outputTokens)).toEqual([
    // Before it is sent.
    ...[undefined, 1],
    ...[301, 601, 901, 1201],
  ]);
  expect(pass.record().wasCut).toBe(true);
  // What came in the same piece counts too.
  expect(pass.record().usage.outputTokens).toBeGreaterThanOrEqual(1201);
  const refused = await call();
  expect(refused).toMatchObject({ status: 403, headers: { 'x-should-retry': 'false' } });
  expect(up.seen.length).toBe(1);
});

it('a listener that throws cuts nobody', async () => {
  const { call, up } = await rig({
    terms: {
      onUsage: () => {
        throw new Error('x');
      },
      tell: () => {
        throw new Error('x');
      },
    },
  });
  up.answers = [streams(START, END)];
  expect((await call()).body).toBe(START + END);
});
