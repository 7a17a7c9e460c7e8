import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';
import { ROUTES } from './routes.ts';

const PROMPT = 'Primary working directory: /w\ntask_id: "T-7"\nattempt: 2\n';

describe('the scripted model', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer(ROUTES);
  });
  afterEach(() => server.close());

  const ask = (
    marker: string,
    { stream = false, session = 's', path = '/v1/messages', url = server.url } = {},
  ) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'x-claude-code-session-id': session, 'x-api-key': 'dummy' },
      body: JSON.stringify({
        model: 'm',
        stream,
        tools: [{ name: 'Write' }],
        messages: [{ role: 'user', content: [{ type: 'text', text: `${marker}\n${PROMPT}` }] }],
      }),
    });
  const messageOf = async (marker: string, options = {}) => (await ask(marker, options)).json();

  it('fills in the envelope from the prompt', async () => {
    expect(await messageOf('[[reply]]')).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        {
          name: 'StructuredOutput',
          input: {
            type: 'task_result',
            task_id: 'T-7',
            attempt: 2,
            status: 'done',
            artifacts: [{ path: 'T-7.txt' }],
          },
        },
      ],
    });
  });

  it('goes on turn by turn in each session, and repeats the last turn', async () => {
    const tools: string[] = [];
    for (const session of ['a', 'b', 'a', 'a', 'a', 'b']) {
      const { content } = (await messageOf('[[write]]', { session })) as {
        content: { name: string }[];
      };
      tools.push(`${session}:${content[0]?.name}`);
    }
    expect(tools.join(' ')).toBe(
      'a:Write b:Write a:Bash a:StructuredOutput a:StructuredOutput b:Bash',
    );
  });

  it('streams the events of a message in order', async () => {
    const events = await (await ask('[[prose]]', { stream: true })).text();
    expect(events.match(/(?<=^event: ).+/gm)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it.each([
    ['[[401]]', 401, 'authentication_error'],
    ['[[429]]', 429, 'rate_limit_error'],
    ['[[529]]', 529, 'overloaded_error'],
    ['no marker', 400, 'invalid_request_error'],
  ])('%s fails in the form of the API', async (marker, status, type) => {
    const response = await ask(marker);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type } });
  });

  it('stalls in the middle of a message until it is closed', async () => {
    const { body } = await ask('[[stall]]', { stream: true });
    const reader = body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('message_start');
    const rest = expect(reader?.read()).rejects.toThrow();
    await server.close();
    await rest;
  });

  it.each([
    ['nothing', {}],
    ['half', { stream: true }],
  ] as const)('resets the connection after %s', async (after, options) => {
    const dropping = await startModelServer([
      { marker: '[[drop]]', turns: [{ kind: 'drop', after }] },
    ]);
    try {
      const asked = ask('[[drop]]', { ...options, url: dropping.url }).then((one) => one.text());
      await expect(asked).rejects.toThrow();
    } finally {
      await dropping.close();
    }
  });

  it('answers with garbage, or with a refusal, where a turn says so', async () => {
    const odd = await startModelServer([
      { marker: '[[garbage]]', turns: [{ kind: 'garbage', body: '<html>' }] },
      { marker: '[[no]]', turns: [{ kind: 'say', text: 'No.', stop: 'refusal' }] },
    ]);
    try {
      expect(await (await ask('[[garbage]]', { url: odd.url })).text()).toBe('<html>');
      expect(await messageOf('[[no]]', { url: odd.url })).toMatchObject({ stop_reason: 'refusal' });
    } finally {
      await odd.close();
    }
  });

  it('records what it was asked, and by whom', async () => {
    await ask('[[reply]]', { session: 'one' });
    await ask('[[reply]]', { path: '/v1/other' });
    expect(server.requests).toMatchObject([
      { route: '[[reply]]', session: 'one', apiKey: 'dummy', cwd: '/w', tools: ['Write'] },
      { route: '', path: '/v1/other' },
    ]);
  });

  it('listens on the loopback interface alone', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
