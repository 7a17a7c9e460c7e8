import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Transport, WorkOrder } from '@atelier/engine';
import { type ModelServer, ROUTES, type Route, startModelServer } from '@atelier/model-server';
import { bubblewrap } from '@atelier/sandbox';
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts';
import type { ClaudeOptions } from '../../src/agents/claude/options.ts';
import { apiProxy } from '../../src/api-proxy/api-proxy.ts';
import { apiKey } from '../../src/api-proxy/credentials/credential.ts';
import { type WithApiProxyOptions, withApiProxy } from '../../src/api-proxy/with-api-proxy.ts';
import { cliTransport } from '../../src/cli-transport.ts';
import type { Limits } from '../../src/options.ts';
import { preflight } from '../../src/preflight.ts';
import { claudeBinary } from './claude-binary.ts';
import { newKey } from './secret-search.ts';

/** The real program behind real walls, with a scripted model as its only way out, and git worktrees to work in. */
export interface Rig {
  readonly server: ModelServer;
  /** The credential that the model must see, and nobody inside. */
  readonly realKey: string;
  transport(kind?: TransportKind): Transport;
  /** Rejects with what is missing. */
  preflight(): Promise<void>;
  /** The folder that the worker of an order works in. */
  worktreeOf(order: Pick<WorkOrder, 'task' | 'attempt'>): string;
  close(): Promise<void>;
}

interface TransportKind extends WithApiProxyOptions {
  readonly agent?: Partial<ClaudeOptions> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Puts into a fresh worktree what an attempt is to find there. */
  readonly furnish?: ((worktree: string) => Promise<void>) | undefined;
}

export interface RigOptions {
  /** Default the real one, pinned. */
  readonly program?: string;
  readonly routes?: readonly Route[];
}

export async function rig({ program, routes = ROUTES }: RigOptions = {}): Promise<Rig> {
  const claude = program ?? (await claudeBinary());
  const folder = await mkdtemp(join(tmpdir(), 'atelier-claude-'));
  const repo = await repositoryIn(folder);
  const server = await startModelServer(routes);
  const realKey = newKey();
  const proxy = await apiProxy({
    dialect: 'anthropic',
    socketPath: join(folder, 'api', 'api.sock'),
    baseUrl: server.url,
    credential: apiKey('anthropic', realKey),
  });
  const wrap = bubblewrap();
  await wrap.selfTest();
  const worktreeOf = ({ task, attempt }: Pick<WorkOrder, 'task' | 'attempt'>) =>
    join(folder, `${task.id}-${attempt}`);
  const inTurn = oneByOne();
  const optionsOf = ({ agent, limits = {} }: TransportKind) =>
    ({
      agent: claudeAgent({ program: claude, apiSocket: proxy.socketPath, ...agent }),
      confinement: { kind: 'sandboxed', wrap },
      runDir: join(folder, 'run'),
      limits,
    }) as const;
  return {
    ...{ server, realKey, worktreeOf },
    transport(kind = {}) {
      const carve = async (order: WorkOrder): Promise<string> => {
        const worktree = worktreeOf(order);
        await inTurn(() => git(repo, 'worktree', 'add', '--quiet', '--detach', worktree));
        await kind.furnish?.(worktree);
        return worktree;
      };
      return withWorktree(withApiProxy(cliTransport(optionsOf(kind)), proxy, kind), carve);
    },
    preflight: () => preflight(optionsOf({})),
    async close() {
      await proxy.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const withWorktree = (
  transport: Transport,
  carve: (order: WorkOrder) => Promise<string>,
): Transport => ({
  ...transport,
  start: async (order, signal) =>
    transport.start({ ...order, workspace: await carve(order) }, signal),
});

/** Git does not add two worktrees at once. */
function oneByOne(): (act: () => Promise<unknown>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async (act) => {
    const next = last.then(act);
    last = next.catch(() => {});
    await next;
  };
}

async function repositoryIn(folder: string): Promise<string> {
  const repo = join(folder, 'repo');
  await mkdir(repo);
  await git(repo, 'init', '--quiet');
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  await git(repo, ...author, 'commit', '--quiet', '--allow-empty', '-m', 'start');
  return repo;
}

const git = (repo: string, ...args: string[]) => promisify(execFile)('git', ['-C', repo, ...args]);
