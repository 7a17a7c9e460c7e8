import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Transport, WorkOrder } from '@atelier/engine';
import { type ModelServer, ROUTES, startModelServer } from '@atelier/model-server';
import { bubblewrap } from '@atelier/sandbox';
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts';
import { apiForwarder } from '../../src/api-forwarder/api-forwarder.ts';
import { cliTransport } from '../../src/cli-transport.ts';
import type { Limits } from '../../src/options.ts';
import { preflight } from '../../src/preflight.ts';
import { claudeBinary } from './claude-binary.ts';

export const API_KEY = 'attempt-token-1';

/** The real program behind real walls, with a scripted model as its only way out, and git worktrees to work in. */
export interface Rig {
  readonly server: ModelServer;
  readonly transport: Transport;
  /** Rejects with what is missing. */
  preflight(): Promise<void>;
  /** The folder that the worker of an order works in. */
  worktreeOf(order: WorkOrder): string;
  close(): Promise<void>;
}

export interface RigOptions {
  /** Default the real one, pinned. */
  readonly program?: string;
  /** Puts into a fresh worktree what an attempt is to find there. */
  readonly furnish?: (worktree: string) => Promise<void>;
  readonly limits?: Partial<Limits>;
}

export async function rig({ program, furnish, limits = {} }: RigOptions = {}): Promise<Rig> {
  const claude = program ?? (await claudeBinary());
  const folder = await mkdtemp(join(tmpdir(), 'atelier-claude-'));
  const repo = await repositoryIn(folder);
  const server = await startModelServer(ROUTES);
  const forwarder = await apiForwarder({
    socketPath: join(folder, 'api.sock'),
    baseUrl: server.url,
  });
  const wrap = bubblewrap();
  await wrap.selfTest();
  const options = {
    agent: claudeAgent({ program: claude, apiKey: API_KEY, apiSocket: forwarder.socketPath }),
    confinement: { kind: 'sandboxed', wrap },
    runDir: join(folder, 'run'),
    limits,
  } as const;
  const worktreeOf = ({ task, attempt }: WorkOrder) => join(folder, `${task.id}-${attempt}`);
  const carve = async (order: WorkOrder): Promise<string> => {
    const worktree = worktreeOf(order);
    await git(repo, 'worktree', 'add', '--quiet', '--detach', worktree);
    await furnish?.(worktree);
    return worktree;
  };
  return {
    server,
    transport: withWorktree(cliTransport(options), oneByOne(carve)),
    preflight: () => preflight(options),
    worktreeOf,
    async close() {
      await forwarder.close();
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
function oneByOne<T>(carve: (order: WorkOrder) => Promise<T>): (order: WorkOrder) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (order) => {
    const next = last.then(() => carve(order));
    last = next.catch(() => {});
    return next;
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
