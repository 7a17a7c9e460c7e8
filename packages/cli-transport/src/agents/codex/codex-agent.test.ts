import type { WorkOrder } from '@atelier/engine';
import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/claude/attempt.ts';
import { attemptToken } from '../../api-proxy/attempt-token.ts';
import { codexAgent } from './codex-agent.ts';
import type { CodexOptions } from './options.ts';

const OPTIONS: CodexOptions = { program: 'codex', apiSocket: '/state/api/api.sock' };
const PLACE = { worktree: '/w', home: '/h', replyFile: '/r/reply.json' };

const callOf = (over: Partial<CodexOptions> = {}, order: WorkOrder = orderOf('')) =>
  codexAgent({ ...OPTIONS, ...over }).call(order, PLACE);

/** The settings among the arguments, by name. */
const settingsIn = (args: readonly string[]) =>
  Object.fromEntries(
    args.flatMap((arg, at) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(arg) ?? [];
      return args[at - 1] === '--config' ? [[name, JSON.parse(value) as unknown]] : [];
    }),
  );

describe('the call', () => {
  it('reads no file of settings, keeps nothing, and takes the briefing from standard input', () => {
    const { args, stdin } = callOf();
    const flags = args.filter((_, at) => args[at] !== '--config' && args[at - 1] !== '--config');
    expect(flags.join(' ')).toBe(
      [
        'exec --json --ephemeral --ignore-user-config --ignore-rules --strict-config',
        '--skip-git-repo-check --color never --sandbox danger-full-access',
        '--output-schema /r/schema.json -',
      ].join(' '),
    );
    expect(stdin).toContain('Do the task.');
  });

  it('finds the model API at a port of its own, over the one socket that is let in', () => {
    const { args, bridges = [], sockets } = callOf();
    const [bridge] = bridges;
    expect(bridges).toEqual([{ port: expect.any(Number), socket: '/run/atelier-api/api.sock' }]);
    expect(sockets).toEqual([{ outside: '/state/api', inside: '/run/atelier-api' }]);
    expect(settingsIn(args)).toMatchObject({
      model_provider: 'atelier',
      'model_providers.atelier.base_url': `http://127.0.0.1:${bridge?.port}/v1`,
      'model_providers.atelier.env_key': 'ATELIER_API_TOKEN',
      'model_providers.atelier.request_max_retries': 0,
      'model_providers.atelier.stream_max_retries': 2,
    });
    const ports = ['a', 'b', 'c', 'd'].map(
      (nonce) => callOf({}, orderOf('', { nonce })).bridges?.[0]?.port,
    );
    expect(new Set(ports).size).toBe(4);
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(20_000);
      expect(port).toBeLessThan(32_000);
    }
  });

  it('decision 36: is deaf to what the repository brings along, and has no way past the walls', () => {
    expect(settingsIn(callOf().args)).toMatchObject({
      project_doc_max_bytes: 0,
      'skills.include_instructions': false,
      'features.hooks': false,
      web_search: 'disabled',
      'agents.enabled': false,
    });
  });

  it('shows a token of its attempt, or the key that it was given', () => {
    expect(callOf().env).toMatchObject({ ATELIER_API_TOKEN: attemptToken('nonce-1') });
    expect(Object.keys(callOf().env).sort()).toEqual(['ATELIER_API_TOKEN', 'NO_PROXY', 'no_proxy']);
    expect(callOf({ apiKey: 'dummy' })).toMatchObject({
      env: { ATELIER_API_TOKEN: 'dummy' },
      sockets: [{ outside: '/state/api/api.sock', inside: '/run/api.sock' }],
      bridges: [{ socket: '/run/api.sock' }],
    });
  });

  it('the terms of an attempt name its model, before the options do; else the program chooses', () => {
    const modelIn = (over: Partial<CodexOptions>, terms?: object) => {
      const { args } = callOf(over, orderOf('', terms === undefined ? {} : { terms }));
      return args.includes('--model') ? args[args.indexOf('--model') + 1] : undefined;
    };
    expect(modelIn({})).toBeUndefined();
    expect(modelIn({ model: 'gpt-a' }, {})).toBe('gpt-a');
    expect(modelIn({ model: 'gpt-a' }, { model: 'gpt-b' })).toBe('gpt-b');
    expect(() => modelIn({}, { model: '--trust' })).toThrow(
      expect.objectContaining({ code: 'CODEX_OPTION' }),
    );
  });

  it('hands over a schema in which every object is closed and names all it has', () => {
    const [file] = callOf().files ?? [];
    expect(file?.name).toBe('schema.json');
    expect(JSON.parse(file?.text ?? '')).toEqual({
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['task_result'] },
        task_id: { type: 'string' },
        attempt: { type: 'integer' },
        status: { type: 'string', enum: ['abandoned', 'blocked', 'done', 'needs-input'] },
        artifacts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { kind: { type: 'string' }, path: { type: 'string' } },
            required: ['kind', 'path'],
            additionalProperties: false,
          },
        },
        notes_md: { type: 'string' },
      },
      required: ['type', 'task_id', 'attempt', 'status', 'artifacts', 'notes_md'],
      additionalProperties: false,
    });
  });

  it('O-14: has neither the briefing nor the key among its arguments', () => {
    const briefing = 'x'.repeat(140_000);
    const { args, stdin } = callOf({ apiKey: 'secret-token' }, orderOf('', { briefing }));
    expect(stdin).toBe(briefing);
    expect(args.join()).not.toMatch(/xxx|secret-token/);
  });
});

describe('what is refused before anything is charged', () => {
  it('needs walls exactly when it asks nobody, and a bridge always', () => {
    expect(codexAgent(OPTIONS)).toMatchObject({ needsWalls: true, needsBridge: true });
    const asking = codexAgent({ ...OPTIONS, sandboxMode: 'workspace-write' });
    expect(asking).toMatchObject({ needsWalls: false, needsBridge: true });
  });

  it.each([
    ['program', { program: '' }],
    ['apiSocket', { apiSocket: 'relative' }],
    ['apiSocketInside', { apiSocketInside: 'relative' }],
    ['apiKey', { apiKey: 'two words' }],
    ['model', { model: '-x' }],
    ['sandboxMode', { sandboxMode: 'read-only' as 'workspace-write' }],
  ])('an option that can not be meant: %s', (name, over) => {
    expect(() => codexAgent({ ...OPTIONS, ...over })).toThrow(
      expect.objectContaining({
        code: 'CODEX_OPTION',
        message: expect.stringContaining(name),
      }),
    );
  });

  it('never shows a key', () => {
    expect(() => codexAgent({ ...OPTIONS, apiKey: 'se cret' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('cret') }),
    );
  });
});
