import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import type { FakeLoom } from '@atelier/fake-loom';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTeamChatContext } from '../src/chat-context.ts';
import { detect } from '../src/detect.ts';
import { chatServer, endAll, find, folder } from './stage.ts';

afterEach(endAll);

/** A workspace in which a server tells of itself. */
const workspace = ({ url }: FakeLoom, told: object | ((root: string) => object) = {}) => {
  const root = folder();
  mkdirSync(join(root, '.loom'));
  const content = { url, pid: process.pid, rootDir: root, maxBodyLength: 700 };
  Object.assign(content, typeof told === 'function' ? told(root) : told);
  writeFileSync(join(root, '.loom', 'mcp.json'), JSON.stringify(content, null, 2));
  return root;
};

describe('detect', () => {
  it('takes the server that LOOM_MCP_URL names, with its own cap, and gives the session back', async () => {
    const loom = await chatServer({ bodyCap: 321 });
    const status = await find(folder(), { LOOM_MCP_URL: ` ${loom.url} ` });
    const { url, port } = loom;
    expect(status).toMatchObject({ available: true, url, port, source: 'env', maxBody: 321 });
    expect(loom.sessions()).toBe(0);
    const context = buildTeamChatContext(status, { channel: 'c' });
    expect(context).toEqual({ transport: 'loom-relay', channel: 'c', maxBody: 321 });
  });

  it('takes the server that tells of itself in this workspace', async () => {
    const loom = await chatServer();
    const root = workspace(loom);
    expect(await find(root)).toMatchObject({ source: 'endpoint-file', maxBody: 500 });
    loom.fail(({ method }) => (method === 'tools/list' ? { status: 500 } : undefined));
    expect(await find(root)).toMatchObject({ source: 'endpoint-file', maxBody: 700 });
    const alias = join(folder(), 'alias');
    symlinkSync(root, alias);
    expect(await find(alias)).toMatchObject({ available: true });
  });

  it.each([
    ['whose process has ended', { pid: spawnSync('true').pid }, 'its process has ended'],
    ['with a group for a process', { pid: -1 }, 'its process has ended'],
    ['of another folder', { rootDir: '/' }, 'it serves another folder'],
    [
      'of a folder that depends on ours',
      (root: string) => ({ rootDir: relative(process.cwd(), root) }),
      'it serves another folder',
    ],
    [
      'on another machine',
      { url: 'http://192.0.2.1:7077/mcp' },
      'its endpoint file names no server on this machine',
    ],
  ])('leaves a server %s alone', async (_, told, reason) => {
    const loom = await chatServer();
    expect(await find(workspace(loom, told))).toEqual({ available: false, reason });
    expect(loom.connections()).toBe(0);
  });

  it.each([
    ['nothing', undefined],
    ['no JSON', '{'],
    ['another shape', '[1]'],
    ['too much', `"${'x'.repeat(70_000)}"`],
  ])('finds no server where the file has %s', async (_, text) => {
    const root = folder();
    mkdirSync(join(root, '.loom'));
    if (text !== undefined) writeFileSync(join(root, '.loom', 'mcp.json'), text);
    expect((await find(root)).available).toBe(false);
  });

  it('asks nobody else when LOOM_MCP_URL names a server that is not there, or is not here', async () => {
    const loom = await chatServer();
    const root = workspace(loom);
    for (const url of ['http://127.0.0.1:1/mcp', 'http://192.0.2.1:7077/mcp', 'x'])
      expect((await find(root, { LOOM_MCP_URL: url })).available).toBe(false);
    expect(loom.connections()).toBe(0);
  });

  it('tries ports only where it is asked to', async () => {
    const loom = await chatServer();
    const scan = (value: string) =>
      detect({
        env: { ATELIER_LOOM_SCAN: value },
        root: folder(),
        ports: [1, loom.port],
        limitMs: 60_000,
      });
    expect((await scan('0')).available).toBe(false);
    expect(loom.connections()).toBe(0);
    expect(await scan('1')).toMatchObject({ source: 'scan', port: loom.port });
  });

  it('is done in its time when a server says nothing, or too much', async () => {
    const loom = await chatServer({ fault: () => 'hang' });
    const env = { LOOM_MCP_URL: loom.url };
    const status = await detect({ env, root: folder(), limitMs: 50 });
    expect(status).toEqual({ available: false, reason: 'no server answers (TIMEOUT)' });
  });

  it('does not follow where a server sends it, and takes no other server', async () => {
    const loom = await chatServer();
    const answers = [
      { status: 307, headers: { location: loom.url } },
      { status: 200, headers: { 'mcp-session-id': 's', 'content-type': 'application/json' } },
    ];
    for (const { status, headers } of answers) {
      const other = createServer((_, response) => {
        response.writeHead(status, headers);
        response.end('{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"other"}}}');
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      try {
        const { port } = other.address() as AddressInfo;
        const env = { LOOM_MCP_URL: `http://127.0.0.1:${port}/mcp` };
        expect((await find(folder(), env)).available).toBe(false);
      } finally {
        other.close();
        other.closeAllConnections();
      }
    }
    expect(loom.connections()).toBe(0);
  });
});
