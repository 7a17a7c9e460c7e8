import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ResponsesServer, startResponsesServer } from './responses-server.ts';
import { RESPONSES_ROUTES } from './routes.ts';

const PROMPT = 'task_id: "T-7"\nattempt: 2\n';

describe('the scripted model of the responses API', () => {
  let server: ResponsesServer;
  beforeEach(async () => {
    server = await startResponsesServer(RESPONSES_ROUTES);
  });
  afterEach(() => server.close());

  const ask = (marker: string, { session = 's', path = '/responses', input = [{}] } = {}) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'session-id': session, authorization: 'Bearer dummy' },
      body: JSON.stringify({
        model: 'm',
        tools: [{ name: 'exec_command' }],
        text: { format: { name: 'codex_output_schema' } },
        input: [
          { role: 'developer', content: [{ type: 'input_text', text: 'be safe' }] },
          { role: 'user', content: [{ type: 'input_text', text: '<cwd>/w</cwd>' }] },
          { role: 'user', content: [{ type: 'input_text', text: `${marker}\n${PROMPT}` }] },
          ...input,
        ],
      }),
    });
  const eventsOf = async (marker: string, options = {}) =>
    [...(await (await ask(marker, options)).text()).matchAll(/^data: (.+)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as { type: string; item?: Record<string, unknown> },
    );

  it('answers with a message whose whole text is the envelope, filled in from the prompt', async () => {
    const events = await eventsOf('[[reply]]');
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.output_item.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const text = (events[3] as unknown as { text: string }).text;
    expect(JSON.parse(text)).toEqual({
      type: 'task_result',
      task_id: 'T-7',
      attempt: 2,
      status: 'done',
      artifacts: [{ kind: 'file', path: 'T-7.txt' }],
      notes_md: 'Wrote the file.',
    });
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', usage: { input_tokens: 1000, output_tokens: 50 } },
    });
  });

  it('calls the shell tool, turn by turn in each session', async () => {
    const commands: unknown[] = [];
    for (const session of ['a', 'b', 'a']) {
      const items = (await eventsOf('[[write]]', { session })).flatMap(({ type, item }) =>
        type === 'response.output_item.done' && item?.['name'] ? [item['arguments']] : [],
      );
      commands.push(...items);
    }
    const write = JSON.stringify({ cmd: "echo 'made by T-7' > T-7.txt" });
    expect(commands).toEqual([write, write, JSON.stringify({ cmd: 'cat *.txt' })]);
  });

  it.each([
    ['[[401]]', 401, { type: 'authentication_error', code: 'invalid_api_key' }],
    ['[[limit]]', 429, { type: 'usage_limit_reached', resets_at: 4_000_000_000 }],
    ['[[500]]', 500, { type: 'server_error', code: null }],
    ['no marker', 400, { type: 'invalid_request_error' }],
  ])('%s fails in the form of the API', async (marker, status, error) => {
    const response = await ask(marker);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });

  it('can say that a response failed, send something else, or break off', async () => {
    expect((await eventsOf('[[context]]')).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'context_length_exceeded' } },
    });
    expect(await (await ask('[[garbage]]')).text()).toContain('<html>');
    await expect(ask('[[reset early]]')).rejects.toThrow();
    await expect((await ask('[[reset]]')).text()).rejects.toThrow();
  });

  it('stalls in the middle of a message until it is closed', async () => {
    const reader = (await ask('[[stall]]')).body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('response.created');
    const rest = expect(reader?.read()).rejects.toThrow();
    await server.close();
    await rest;
  });

  it('records what it was asked, and by whom', async () => {
    await ask('[[reply]]', {
      input: [{ type: 'function_call_output', output: 'what it printed' }],
    });
    await ask('[[reply]]', { path: '/other' });
    expect(server.requests).toMatchObject([
      {
        ...{ route: '[[reply]]', session: 's', authorization: 'Bearer dummy', cwd: '/w' },
        ...{ model: 'm', tools: ['exec_command'], schema: 'codex_output_schema' },
        ...{ output: 'what it printed', instructions: expect.stringContaining('be safe') },
      },
      { route: '', path: '/v1/other' },
    ]);
  });
});
