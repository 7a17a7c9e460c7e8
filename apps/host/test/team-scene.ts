import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { run, scriptedTransport, type Task } from '@atelier/engine';
import { openStore, storeFile } from '@atelier/store-sqlite';
import { escalateFn, gapLatch } from '@atelier/team-behaviors';
import { openRepository } from '@atelier/worktrees';
import type { Project } from '../src/compose/project.ts';
import { stateFolder } from '../src/compose/state-folder.ts';
import { main } from '../src/main.ts';
import { teamOfRun } from '../src/team/current-team.ts';

/** The name under which this process asks for anything. */
export const ME: string = userInfo().username;

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Home = Pick<Project, 'store' | 'repository'>;

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly ask?: (question: string) => Promise<string>;
}

/** A small clone, and the command in this very process. */
export interface TeamScene {
  readonly folder: string;
  readonly repo: string;
  readonly stateHome: string;
  /** That of every command in it. */
  readonly env: Readonly<Record<string, string>>;
  git(...args: string[]): string;
  file(name: string, text: string): string;
  atelier(args: readonly string[], around?: Around): Promise<Said>;
  /** What the command left behind, or finds. */
  within<Result>(use: (home: Home) => Result | Promise<Result>): Promise<Result>;
  /** A run whose tasks are all abandoned; with its team, the ledger has each of them. */
  abandon(
    runId: string,
    tasks: readonly Task[],
    around?: { readonly team: boolean; readonly notes?: string },
  ): Promise<void>;
  /** Takes away all but the clone: a new one costs more. */
  clear(): void;
  remove(): void;
}

export function teamScene(): TeamScene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-team-')));
  const [repo, stateHome] = [join(folder, 'tea'), join(folder, 'state/atelier')];
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', repo, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args],
      { encoding: 'utf8' },
    );
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repo]);
  git('commit', '--quiet', '--allow-empty', '-m', 'begin');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  const kept = [env.XDG_CONFIG_HOME, env.XDG_STATE_HOME];
  const repository = openRepository({ dir: repo });
  const within: TeamScene['within'] = async (use) => {
    const store = openStore({ path: storeFile(stateFolder((await repository).stateDir)) });
    try {
      return await use({ store, repository: await repository });
    } finally {
      store.close();
    }
  };
  return {
    ...{ folder, repo, stateHome, env, git, within },
    file(name, text) {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    async atelier(args, { env: more = {}, ask } = {}) {
      const said = { stdout: '', stderr: '' };
      const streams = {
        stdout: { write: (text: string) => (said.stdout += text) },
        stderr: { write: (text: string) => (said.stderr += text) },
        ...(ask ? { ask } : {}),
      };
      const code = await main(args, streams, { env: { ...env, ...more }, cwd: repo });
      return { code, ...said };
    },
    abandon: (runId, tasks, { team, notes = NOTES } = { team: true }) =>
      within(async (project) => {
        const { journal, team: teams } = project.store;
        const sink = () => undefined;
        const latched = () =>
          gapLatch({ ledger: teams.ledger, teamId: teamOfRun(project, runId).teamId });
        await run(tasks, {
          ...{ runId, journal, transport: scriptedTransport(givesUp(notes)) },
          sink: team ? escalateFn({ latch: latched(), sink }) : sink,
        });
      }),
    clear() {
      for (const path of [join(repo, '.git/atelier'), join(repo, '.ai'), ...kept])
        rmSync(path, { recursive: true, force: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const NOTES = 'ABANDON: scope:nobody said what is meant';

const givesUp =
  (notes_md: string): Parameters<typeof scriptedTransport>[0] =>
  ({ task, attempt }) => ({
    report: {
      kind: 'replied',
      reply: {
        ...{ type: 'task_result', task_id: task.id, attempt, status: 'abandoned' },
        ...{ artifacts: ['a'], notes_md },
      },
    },
  });
