import { describe, expect, it } from 'vitest';
import { exitOf, orderOf } from '../../../test/claude/attempt.ts';
import { attemptToken } from '../../api-proxy/attempt-token.ts';
import { schemaArgument } from './arguments.ts';
import { claudeAgent } from './claude-agent.ts';
import type { ClaudeOptions } from './options.ts';
import { sessionId } from './session-id.ts';

const OPTIONS: ClaudeOptions = {
  program: '/opt/claude',
  apiKey: 'token',
  apiSocket: '/s/api.sock',
};
const PLACE = { worktree: '/w', home: '/h', replyFile: '/r' };
const callOf = (over: object = {}, order = orderOf('')) =>
  claudeAgent({ ...OPTIONS, ...over }).call(order, PLACE);

describe('the call', () => {
  it('is print mode with nothing of the repository or the user loaded', () => {
    const { args, ...call } = callOf();
    const schema = args[args.indexOf('--json-schema') + 1] ?? '';
    expect(JSON.parse(schema)).toMatchObject({ type: 'object' });
    expect(args.map((arg) => (arg === schema ? 'SCHEMA' : arg)).join(' | ')).toBe(
      [
        '-p | --output-format | stream-json | --verbose | --json-schema | SCHEMA',
        '--permission-mode | bypassPermissions | --setting-sources |  | --strict-mcp-config',
        '--disable-slash-commands | --no-session-persistence | --max-turns | 40',
        '--max-budget-usd | 5 | --tools | Bash,Read,Edit,Write,Glob,Grep',
        `--model | claude-sonnet-5-5 | --session-id | ${sessionId(orderOf(''))}`,
      ].join(' | '),
    );
    expect(call).toMatchObject({
      program: '/opt/claude',
      stdin: orderOf('').briefing,
      sockets: [{ outside: '/s/api.sock', inside: '/run/api.sock' }],
      env: {
        ANTHROPIC_API_KEY: 'token',
        ANTHROPIC_BASE_URL: 'http://localhost',
        ANTHROPIC_UNIX_SOCKET: '/run/api.sock',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        CLAUDE_CODE_MAX_RETRIES: '2',
      },
    });
  });

  it('the terms of an attempt name its model, before the options do', () => {
    const modelIn = (terms: object) => {
      const { args } = callOf({ model: 'claude-haiku-5-5' }, orderOf('', { terms }));
      return args[args.indexOf('--model') + 1];
    };
    expect(modelIn({})).toBe('claude-haiku-5-5');
    expect(modelIn({ model: 'claude-opus-5-5' })).toBe('claude-opus-5-5');
    expect(() => modelIn({ model: '--dangerously-skip-permissions' })).toThrow(
      expect.objectContaining({ code: 'CLAUDE_OPTION' }),
    );
  });

  it('without a key it shows a token of its attempt to a proxy, whose folder is let in', () => {
    const first = callOf({ apiKey: undefined });
    const token = first.env['ANTHROPIC_API_KEY'];
    expect(token).toBe(attemptToken('nonce-1'));
    expect(token).not.toContain('nonce-1');
    expect(callOf({ apiKey: undefined }, orderOf('', { nonce: 'nonce-2' })).env).not.toMatchObject({
      ANTHROPIC_API_KEY: token,
    });
    expect(first).toMatchObject({
      sockets: [{ outside: '/s', inside: '/run/atelier-api' }],
      env: { ANTHROPIC_UNIX_SOCKET: '/run/atelier-api/api.sock' },
    });
  });

  it('needs walls exactly when it asks nobody', () => {
    expect(claudeAgent(OPTIONS).needsWalls).toBe(true);
    expect(claudeAgent({ ...OPTIONS, permissionMode: 'acceptEdits' }).needsWalls).toBe(false);
  });

  it('O-14: has neither the briefing nor the key among its arguments', () => {
    const briefing = 'x'.repeat(140_000);
    const { args, stdin } = callOf({ apiKey: 'secret-token' }, orderOf('', { briefing }));
    expect(stdin).toBe(briefing);
    expect(args.filter((arg) => arg.length > 10_000 || arg.includes('secret'))).toEqual([]);
  });

  it('goes to the default address without a socket', () => {
    const { env, sockets } = callOf({ apiSocket: undefined });
    expect(sockets).toBeUndefined();
    expect(Object.keys(env).filter((name) => /URL|SOCKET/.test(name))).toEqual([]);
  });

  it('takes an option that is undefined for one that is not set', () => {
    const unset = { model: undefined, maxTurns: undefined, tools: undefined };
    expect(callOf(unset).args).toEqual(callOf().args);
  });

  it('has a session id of its own for each attempt, the same each time', () => {
    const ids = [
      orderOf(''),
      orderOf('', { attempt: 2 }),
      orderOf('', { nonce: 'nonce-2' }),
      orderOf('', { runId: 'run-2' }),
      orderOf('', { task: { id: 'T-2' } }),
    ].map(sessionId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(sessionId(orderOf(''))).toBe(ids[0]);
    for (const id of ids) {
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    }
  });
});

describe('what is refused before anything is charged', () => {
  it('O-14: a schema over the limit of an argument, and the reason is its size', () => {
    expect(() => schemaArgument({ description: 'x'.repeat(140_000) })).toThrow(
      expect.objectContaining({
        code: 'CLAUDE_ARGUMENT_TOO_LARGE',
        message: 'claude: the schema takes 140019 bytes as an argument; the system allows 131071',
      }),
    );
  });

  it.each([
    ['program', ''],
    ['apiKey', ''],
    ['apiKey', 'two words'],
    ['model', '--dangerously-skip-permissions'],
    ['apiSocket', 'api.sock'],
    ['maxTurns', 0],
    ['maxTurns', 1.5],
    ['maxBudgetUsd', Number.POSITIVE_INFINITY],
    ['permissionMode', 'auto'],
    ['tools', []],
    ['tools', ['Bash,Write']],
  ])('%s: %j', (option, value) => {
    expect(() => callOf({ [option]: value })).toThrow(
      expect.objectContaining({
        code: 'CLAUDE_OPTION',
        message: expect.stringContaining(`claude: ${option} is `),
        hint: expect.stringContaining(`Set ${option} to `),
      }),
    );
  });

  it('neither a key nor a proxy that would put one', () => {
    expect(() => callOf({ apiKey: undefined, apiSocket: undefined })).toThrow(
      expect.objectContaining({ code: 'CLAUDE_OPTION' }),
    );
  });

  it('tools over the limit of an argument', () => {
    expect(() => callOf({ tools: Array(30_000).fill('Bash') })).toThrow(
      expect.objectContaining({ code: 'CLAUDE_ARGUMENT_TOO_LARGE' }),
    );
  });

  it('never tells the key', () => {
    expect(() => callOf({ apiKey: 'my secret' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});

describe('replyIn', () => {
  const agent = claudeAgent(OPTIONS);
  const record = JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    structured_output: { a: 1 },
  });

  it('is the structured output once the record is complete', () => {
    expect(agent.replyIn(exitOf(`${record}\n`), orderOf(''))).toEqual({ a: 1 });
    expect(agent.replyIn(exitOf(record.slice(0, -1)), orderOf(''))).toBeUndefined();
    expect(agent.replyIn(exitOf(`${record}\n${record}`), orderOf(''))).toBeUndefined();
    expect(agent.replyIn(exitOf(''), orderOf(''))).toBeUndefined();
  });
});
