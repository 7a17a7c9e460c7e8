import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { has, ran } from '../programs.ts';
import { WIDTH } from '../sandboxed-run.ts';
import { walls } from '../walls.ts';

/** The same program once with each argument. */
export interface Work {
  readonly program: string;
  readonly args: readonly string[];
}

/** What a user would take to run programs five at a time on one machine. Nothing of it is durable. */
export interface Rival {
  readonly name: string;
  readonly isThere: () => boolean;
  /** Rejects unless every call exits with 0. */
  run(folder: string, work: Work): Promise<void>;
}

const lines = ({ args }: Work): string => args.map((arg) => `${arg}\n`).join('');

const xargs: Rival = {
  name: 'xargs -P',
  isThere: () => has('xargs'),
  run: (cwd, work) =>
    ran('xargs', ['-n1', `-P${WIDTH}`, work.program], { cwd, input: lines(work) }),
};

/** The least that anybody pays for our walls. */
const walled: Rival = {
  name: 'xargs -P, behind the same walls',
  isThere: () => has('xargs'),
  async run(cwd, work) {
    const [worktree, home] = [join(cwd, 'work'), join(cwd, 'home')];
    for (const folder of [worktree, home]) mkdirSync(folder, { recursive: true });
    await ran('git', ['init', '--quiet', worktree], { cwd });
    const sandbox = await walls();
    const { file, args, env } = sandbox.wrap(
      { file: work.program, args: [], cwd: worktree, env: { PATH: '/usr/bin:/bin' } },
      { worktree, home, read: [], write: [], sockets: [] },
    );
    const call = ['-n1', `-P${WIDTH}`, file, ...args];
    await ran('xargs', call, { cwd: worktree, env, input: lines(work) });
  },
};

const parallel: Rival = {
  name: 'GNU parallel',
  isThere: () => has('parallel'),
  run: (cwd, work) =>
    ran('parallel', ['--will-cite', `-j${WIDTH}`, work.program, '{}'], {
      cwd,
      input: lines(work),
    }),
};

const make: Rival = {
  name: 'make -j',
  isThere: () => has('make'),
  async run(cwd, { program, args }) {
    const rules = args.map((arg, index) => `t${index}:\n\t@${program} ${arg}\n`);
    const targets = args.map((_, index) => `t${index}`).join(' ');
    const text = `all: ${targets}\n.PHONY: all ${targets}\n${rules.join('')}`;
    writeFileSync(join(cwd, 'Makefile'), text);
    await ran('make', ['-s', `-j${WIDTH}`], { cwd });
  },
};

const queue: Rival = {
  name: 'p-queue',
  isThere: () => true,
  async run(cwd, { program, args }) {
    const calls = new PQueue({ concurrency: WIDTH });
    const call = promisify(execFile);
    await calls.addAll(args.map((arg) => () => call(program, [arg], { cwd })));
  },
};

export const RIVALS: readonly Rival[] = [xargs, walled, parallel, make, queue];
