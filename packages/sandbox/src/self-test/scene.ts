import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '../access.ts';
import type { Command } from '../command.ts';
import { type Bystander, bystander } from './bystander.ts';
import { type Listener, listener } from './listener.ts';
import { CLIENT, ENDLESS, READ_ONLY, SCRIPT } from './script.ts';
import type { Tested } from './tested.ts';

/** What the walls are tried on: a throw-away repository with a worktree, secrets, sockets and a process on the host. */
export interface Scene {
  readonly folder: string;
  readonly worktree: string;
  readonly home: string;
  readonly common: string;
  /** Written by whoever may write. */
  readonly token: string;
  /** In a file, in the run data, and in what the host's process was started with. */
  readonly secret: string;
  /** In the environment with which the sandbox is spawned. */
  readonly outerSecret: string;
  /** The name under which files of the host are tried. */
  readonly canary: string;
  readonly realHome: string;
  /** In the arguments of what must not outlive the sandbox, and of what must end with its supervisor. */
  readonly markers: { readonly survivor: string; readonly endless: string };
  readonly bystander: Bystander;
  readonly listeners: Readonly<Record<'bound' | 'unbound' | 'abstract' | 'tcp', Listener>>;
  readonly access: Access;
  readonly script: Command;
  /** To be run with the worktree closed. */
  readonly readOnly: Command;
  readonly endless: Command;
  /** Ends and removes everything, what gave way included. */
  dispose(): void;
}

export const POINTER = (common: string): string => `gitdir: ${common}/worktrees/probe\n`;
/** What a file holds that has a second name in the worktree, where it is frozen. */
export const SHARED = 'shared\n';
export const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';

/** Sets the scene in a new temporary folder. */
export async function setScene({ socketInside }: Pick<Tested, 'socketInside'>): Promise<Scene> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'atelier-walls-'));
  const [worktree, home, outside] = ['work tree', 'home', 'outside'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const common = join(folder, 'repo/.git');
  const [token, secret, outerSecret, survivor, endless] = Array.from({ length: 5 }, () =>
    randomUUID(),
  ) as [string, string, string, string, string];
  layOut({ folder, worktree, home, outside, common, secret });
  const sockets = { bound: join(folder, 'bound.sock'), unbound: join(folder, 'unbound.sock') };
  const abstract = process.platform === 'linux' ? `atelier-${randomUUID()}` : undefined;
  const listeners = {
    bound: await listener({ path: sockets.bound }),
    unbound: await listener({ path: sockets.unbound }),
    abstract: await listener(abstract === undefined ? undefined : { path: `\0${abstract}` }),
    tcp: await listener({ host: '127.0.0.1', port: 0 }),
  };
  const other = bystander(secret);
  const inside = socketInside ?? sockets.bound;
  const canary = `atelier-canary-${randomUUID()}`;
  const realHome = homedir();
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    ...{ WORKTREE: worktree, OUTSIDE: outside, COMMON: common, REAL_HOME: realHome },
    ...{ SECRET: join(folder, 'secret'), GIT_FOLDER: join(common, 'worktrees/probe') },
    ...{ TOKEN: token, CANARY: canary, MARKER: survivor, BYSTANDER: String(other.pid) },
    ...{ NODE: process.execPath, CLIENT, PORT: String(listeners.tcp.port) },
    ...{ SOCKET: inside, UNBOUND_SOCKET: sockets.unbound, ABSTRACT_SOCKET: abstract ?? '' },
  };
  const command = (...args: string[]): Command => ({ file: '/bin/sh', args, cwd: worktree, env });
  return {
    ...{ folder, worktree, home, common, token, secret, outerSecret, canary, realHome },
    ...{ listeners, bystander: other, markers: { survivor, endless } },
    access: {
      ...{ worktree, home, read: [], write: [], frozen: [join(worktree, 'deps')] },
      sockets: [{ outside: sockets.bound, inside }],
    },
    script: command('-c', SCRIPT),
    readOnly: command('-c', READ_ONLY),
    endless: command('-c', ENDLESS, endless),
    dispose: () => {
      other.end();
      for (const one of Object.values(listeners)) one.close();
      for (const suffix of ['', '.remount', '.nested'])
        for (const at of ['/usr', '/etc', '/']) rmSync(join(at, canary + suffix), { force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A repository and a linked worktree as git lays them out, without asking git. */
function layOut(
  at: Record<'folder' | 'worktree' | 'home' | 'outside' | 'common' | 'secret', string>,
): void {
  const own = join(at.common, 'worktrees/probe');
  for (const folder of ['objects', 'hooks', 'refs/heads', 'worktrees/probe', 'atelier'])
    mkdirSync(join(at.common, folder), { recursive: true });
  for (const folder of [at.worktree, at.home, at.outside, join(at.worktree, 'deps')])
    mkdirSync(folder);
  writeFileSync(join(at.folder, 'shared'), SHARED);
  linkSync(join(at.folder, 'shared'), join(at.worktree, 'deps/shared'));
  writeFileSync(join(at.common, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(at.common, 'config'), CONFIG);
  writeFileSync(join(at.common, 'atelier/atelier.db'), at.secret);
  writeFileSync(join(at.folder, 'secret'), at.secret);
  writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(own, 'commondir'), '../..\n');
  writeFileSync(join(own, 'gitdir'), `${at.worktree}/.git\n`);
  writeFileSync(join(at.worktree, '.git'), POINTER(at.common));
}
