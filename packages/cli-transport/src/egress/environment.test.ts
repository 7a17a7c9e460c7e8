import { expect, it } from 'vitest';
import { orderOf } from '../../test/claude/attempt.ts';
import { claudeAgent } from '../agents/claude/claude-agent.ts';
import { codexAgent } from '../agents/codex/codex-agent.ts';
import { egressEnvironment } from './environment.ts';

it('every spelling leads to the bridge; loopback is reached directly, but for what is listed', () => {
  const proxy = 'http://127.0.0.1:3128';
  const all = egressEnvironment(3128, ['registry.example']);
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'npm_config_proxy', 'npm_config_https_proxy'])
    expect(all).toMatchObject({ [name]: proxy });
  expect([all['http_proxy'], all['https_proxy']]).toEqual([proxy, proxy]);
  expect(all['NO_PROXY']).toBe('localhost,127.0.0.1,::1');
  const listed = egressEnvironment(3128, ['127.0.0.1:4873', 'localhost:8080']);
  expect([listed['NO_PROXY'], listed['no_proxy'], listed['npm_config_noproxy']]).toEqual([
    ...['::1', '::1', '::1'],
  ]);
});

it("an agent's way to its own API is no matter of the proxy, whatever the list names", () => {
  const options = { apiKey: 'key', apiSocket: '/s/api.sock' };
  const place = { worktree: '/w', home: '/h', replyFile: '/r/reply' };
  for (const agent of [
    claudeAgent({ program: 'claude', ...options }),
    codexAgent({ program: 'codex', ...options }),
  ]) {
    const listed = egressEnvironment(3128, ['127.0.0.1:5432', 'localhost:8080']);
    // What the agent sets goes before what is set around it.
    const env = { ...listed, ...agent.call(orderOf(''), place).env };
    expect([env['NO_PROXY'], env['no_proxy']]).toEqual([
      ...['localhost,127.0.0.1,::1', 'localhost,127.0.0.1,::1'],
    ]);
  }
});
