import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Agent,
  type AgentCall,
  type CommandWrap,
  commandAgent,
  confinedShell,
  preflight,
} from '../src/index.ts';
import { livingWith } from './living.ts';
import {
  ATTESTED,
  CONFINEMENTS,
  envelope,
  leaves,
  SANDBOXED,
  type Stage,
  spool,
  stage,
} from './stage.ts';

/** Names that mean something to the relay program. */
const NAME = "a,b:c !'x.sock";

let on: Stage;
let servers: Server[];
/** Nothing else on this machine listens there: of this process, and below what systems hand out. */
let port: number;

/** Answers with what it was sent, in capitals. */
const shouting = async (path: string): Promise<string> => {
  const server = createServer((socket) =>
    socket.on('data', (bytes) => socket.end(String(bytes).toUpperCase())),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
};

beforeEach(() => {
  servers = [];
  port = 5000 + (process.pid % 10_000);
});
afterEach(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  await on.close();
});

/** A script as an agent whose calls have bridges. */
const bridgedAgent = (program: string, more: Partial<AgentCall>): Agent => {
  const agent = commandAgent({ program });
  return {
    ...agent,
    needsBridge: true,
    call: (order, place) => ({ ...agent.call(order, place), ...more }),
  };
};

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const asks = (at: number) => `said=$(echo hello | socat -t 5 - TCP4:127.0.0.1:${at})`;

describe.each(CONFINEMENTS)('a program %s', (kind, confinement) => {
  beforeEach(() => {
    on = stage(confinement);
  });

  /** Where a socket of the host is for the program. */
  const insideOf = (outside: string, inside: string) =>
    kind === 'behind bubblewrap' ? inside : outside;
  const play = (body: string, more: Partial<AgentCall>) =>
    on.play('', { agent: bridgedAgent(on.script(body), more) });

  it('finds the sockets of its bridges at their ports, whatever they are called', async () => {
    const bridges = [];
    const sockets = [];
    for (const name of [NAME, 'other.sock']) {
      const outside = await shouting(join(on.folder, name));
      const inside = insideOf(outside, `/run/${name}`);
      sockets.push({ outside, inside });
      bridges.push({ port: port + bridges.length, socket: inside });
    }
    const body = `${asks(port)}; first=$said; ${asks(port + 1)}; [ "$first$said" = HELLOHELLO ] && ${leaves()}`;
    expect(await play(body, { bridges, sockets })).toEqual({
      kind: 'replied',
      reply: envelope(),
    });
    expect(livingWith(`TCP4-LISTEN:${port}`)).toEqual([]);
  });

  it('is itself what the supervisor started: its exit and its end are its own', async () => {
    const bridges = [{ port, socket: '/run/nowhere.sock' }];
    expect(await play('exit 7', { bridges })).toMatchObject({ cause: 'exit', exitCode: 7 });
    const agent = bridgedAgent(on.script('exec sleep 1000'), { bridges });
    const handle = await on.start(on.transport('', { agent }), { attempt: 2 });
    await handle.stop('enough');
    expect(await handle.report).toMatchObject({ cause: 'interrupted' });
    expect(livingWith(`TCP4-LISTEN:${port}`)).toEqual([]);
  });

  it('has no relay among its children, for which it could wait', async () => {
    const bridges = [{ port, socket: '/run/nowhere.sock' }];
    const waits = `exec perl -e '1 while wait() != -1; exec "/bin/sh", "-c", $ARGV[0]'`;
    const body = `${waits} ${quoted(leaves())}`;
    expect(await play(body, { bridges })).toMatchObject({ kind: 'replied' });
  });

  it('finds the files of its call beside its reply file', async () => {
    const files = [{ name: 'schema.json', text: '{"a": 1}\n' }];
    const body = `read -r line <"\${ATELIER_REPLY_FILE%/*}/schema.json"; [ "$line" = '{"a": 1}' ] && ${leaves()}`;
    expect(await play(body, { files })).toMatchObject({ kind: 'replied' });
  });

  it('a command of the shell finds them as well, with what it is told of them', async () => {
    const outside = await shouting(join(on.folder, 'shell.sock'));
    const inside = insideOf(outside, '/run/shell.sock');
    const shell = confinedShell({
      ...{ confinement, runDir: on.runDir, limits: { graceMs: 200 } },
      sockets: [{ outside, inside }],
      bridges: [{ port, socket: inside }],
      env: { SHOUTER: String(port), HOME: '/elsewhere' },
    });
    const command = `${asks(port).replace(String(port), '$SHOUTER')}; echo "$said"; [ "$HOME" != /elsewhere ]; exit $?`;
    expect(await shell({ command, worktree: on.worktree, timeoutMs: 60_000 })).toEqual({
      ...{ kind: 'exited', exitCode: 0, output: 'HELLO\n' },
    });
    expect(livingWith(`TCP4-LISTEN:${port}`)).toEqual([]);
  });
});

describe('on a host whose loopback interface is shared', () => {
  beforeEach(() => {
    on = stage(ATTESTED);
  });

  it('a port that someone listens on is not taken for ours, and the program is not started', async () => {
    const taken = createServer();
    servers.push(taken);
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    const agent = bridgedAgent(on.script(leaves()), { bridges: [{ port, socket: '/s' }] });
    expect(await on.play('', { agent })).toMatchObject({
      kind: 'failed',
      cause: 'exit',
      exitCode: 125,
      detail: expect.stringContaining(`port ${port} can not be listened on`),
    });
  });
});

describe('decision 34: what can be known beforehand', () => {
  beforeEach(() => {
    on = stage(SANDBOXED);
  });

  const withPath = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
    const before = process.env['PATH'];
    process.env['PATH'] = path;
    try {
      return await act();
    } finally {
      process.env['PATH'] = before;
    }
  };

  it('a missing socat is refused by name, with both packages, only where there is a bridge', async () => {
    const program = on.script('true');
    const check = (agent: Agent) =>
      withPath(on.folder, () => preflight({ agent, confinement: SANDBOXED, runDir: on.runDir }));
    await check(commandAgent({ program }));
    await expect(check(bridgedAgent(program, {}))).rejects.toMatchObject({
      code: 'SOCAT_NOT_FOUND',
      hint: expect.stringMatching(/bubblewrap.*socat/),
    });
    const shell = { confinement: SANDBOXED, runDir: on.runDir };
    await withPath(on.folder, async () => {
      confinedShell(shell);
      expect(() => confinedShell({ ...shell, bridges: [{ port, socket: '/s' }] })).toThrow(
        expect.objectContaining({ code: 'SOCAT_NOT_FOUND' }),
      );
    });
  });

  it.each([
    [{ port: 80, socket: '/s' }],
    [{ port: 70_000, socket: '/s' }],
    [{ port: 5000.5, socket: '/s' }],
    [{ port: 5000, socket: 'relative' }],
    [{ port: 5000, socket: '/a\0b' }],
  ])('a bridge that can not be: %j', async (bridge) => {
    const agent = bridgedAgent(on.script('true'), { bridges: [bridge] });
    await expect(on.start(on.transport('', { agent }))).rejects.toMatchObject({
      code: 'INVALID_BRIDGE',
    });
  });

  it('relays are no walls: a wrap that hands back the command as it was is still refused', async () => {
    const wrap: CommandWrap = {
      ...{ kind: 'none', wrap: (command) => command },
      attestation: () =>
        SANDBOXED.kind === 'sandboxed' ? SANDBOXED.wrap.attestation() : undefined,
    };
    const confinement = { kind: 'sandboxed', wrap } as const;
    const agent = bridgedAgent(on.script('touch "$HOME/ran"'), {
      bridges: [{ port, socket: '/s' }],
    });
    await expect(on.start(on.transport('', { agent, confinement }))).rejects.toMatchObject({
      code: 'UNSANDBOXED_REAL_RUN',
    });
    expect(livingWith(spool(on).home)).toEqual([]);
  });
});
