import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shown } from '../quoted.ts';
import { setupFailure } from '../setup-failure.ts';
import type { Evidence } from './evidence.ts';
import { CONFIG, POINTER, SHARED } from './scene.ts';
import { SCRIPT_EXIT } from './script.ts';

/** One claim, and how to tell whether it is true. */
export interface Wall {
  readonly name: string;
  /** Why it could not be tried; undefined when it was. */
  readonly untried?: (evidence: Evidence) => string | undefined;
  /** How it gave way; undefined when it held. */
  readonly breach: (evidence: Evidence) => string | undefined;
}

const INCOMPLETE = 'the probe did not get that far';

/** The script tried it under this name, unless another reason says that it could not. */
const tried = (name: string) => (evidence: Evidence) =>
  evidence.attempt(name) ? undefined : INCOMPLETE;

/** A tool without which the script's try says nothing. */
const needs = (name: string, tool: string) => (evidence: Evidence) => {
  const found = evidence.attempt(`has-${tool}`);
  if (found && found.status !== 0)
    return `there is no "${tool}" program to try it with (package util-linux)`;
  return tried(name)(evidence);
};

const wrote =
  (...folder: string[]) =>
  (path: string, { scene }: Evidence) =>
    folder
      .map((at) => join(at, `${scene.canary}${path}`))
      .filter((file) => existsSync(file))
      .map((file) => `wrote ${file} on the host`)[0];

const pointerKept = ({ scene, file }: Evidence) =>
  lstatSync(join(scene.worktree, '.git'), { throwIfNoEntry: false })?.isFile() === true &&
  file(scene.worktree, '.git') === POINTER(scene.common);

/** By what lies in the worktree afterwards; a copy that succeeded counts even when it is gone again. */
const stole = (name: string, copy: string, { scene, attempt, file }: Evidence) =>
  attempt(name)?.status === 0 || file(scene.worktree, copy).includes(scene.secret);

const configKept = ({ scene, file }: Evidence) => file(scene.common, 'config') === CONFIG;

const repositoryKept = (evidence: Evidence) =>
  configKept(evidence) &&
  !existsSync(join(evidence.scene.common, 'hooks/post-merge')) &&
  !existsSync(join(evidence.scene.common, 'refs/heads/main')) &&
  evidence.file(evidence.scene.common, 'worktrees/probe/commondir') === '../..\n';

const when = (breached: boolean, how: string) => (breached ? how : undefined);

/** What has to work inside. Walls that let nothing through at all would pass every other claim. */
export const OPENINGS: readonly Wall[] = [
  {
    name: 'runs-program',
    breach: ({ ending, attempt }) => {
      if (ending.exitCode === SCRIPT_EXIT && attempt('ends')) return undefined;
      const { exitCode, errors } = ending;
      return (
        setupFailure(exitCode, errors) ??
        `it ended with ${exitCode ?? 'a signal'} instead of ${SCRIPT_EXIT}: ${errors.trim()}`
      );
    },
  },
  {
    name: 'write-worktree',
    breach: ({ scene, file }) =>
      when(file(scene.worktree, 'made') !== scene.token, 'nothing arrived on the host'),
  },
  {
    name: 'write-home',
    breach: ({ scene, file }) =>
      when(file(scene.home, 'made') !== scene.token, 'nothing arrived on the host'),
  },
  {
    name: 'read-repository',
    breach: ({ scene, file }) =>
      when(file(scene.worktree, 'head') === '', 'the git folder can not be read'),
  },
  {
    name: 'reach-bound-socket',
    breach: ({ scene }) =>
      when(scene.listeners.bound.received() !== scene.token, 'nothing arrived on the host'),
  },
];

/** What must not be possible, whatever the walls are made of. */
export const WALLS: readonly Wall[] = [
  {
    name: 'environment',
    untried: tried('environment'),
    breach: ({ scene, file }) => {
      const seen = file(scene.worktree, 'environment') + file(scene.worktree, 'environments');
      if (!seen.includes(scene.token)) return 'the environment did not arrive';
      return when(seen.includes(scene.outerSecret), 'the environment of the host can be read');
    },
  },
  {
    name: 'write-outside',
    untried: tried('write-outside'),
    breach: ({ scene }) =>
      when(existsSync(join(scene.folder, 'outside/canary')), 'wrote into a folder of the host'),
  },
  {
    name: 'write-system',
    untried: tried('write-system'),
    breach: (evidence) => wrote('/usr', '/etc', '/')('', evidence),
  },
  {
    name: 'read-secret',
    untried: tried('read-secret'),
    breach: (evidence) => when(stole('read-secret', 'secret', evidence), 'read a file of the host'),
  },
  {
    name: 'read-real-home',
    untried: tried('read-real-home'),
    breach: ({ scene, attempt }) => {
      const real = statSync(scene.realHome, { throwIfNoEntry: false });
      const same = real && attempt('read-real-home')?.said === `${real.dev}:${real.ino}`;
      return when(same === true, `${scene.realHome} of the host is there`);
    },
  },
  {
    name: 'journal-hidden',
    untried: tried('journal-hidden'),
    breach: (evidence) => when(stole('journal-hidden', 'journal', evidence), 'read the run data'),
  },
  {
    name: 'git-pointer',
    untried: tried('git-pointer'),
    breach: (evidence) =>
      when(!pointerKept(evidence), 'the .git of the worktree was changed') ??
      when(existsSync(join(evidence.scene.worktree, 'moved')), 'the worktree was moved'),
  },
  {
    name: 'git-config-and-hooks',
    untried: tried('git-config-and-hooks'),
    breach: (evidence) => when(!repositoryKept(evidence), 'the git folder was changed'),
  },
  {
    name: 'frozen',
    untried: tried('frozen'),
    breach: ({ scene, file }) => {
      const { mode } = statSync(join(scene.folder, 'shared'));
      const kept = file(scene.folder, 'shared') === SHARED && (mode & 0o111) === 0;
      return when(
        !kept || file(scene.worktree, 'deps/shared') !== SHARED,
        'a frozen path was changed',
      );
    },
  },
  {
    name: 'read-only',
    untried: ({ scene, file }) =>
      when(file(scene.home, 'read-only-ran') === '', 'nothing ran in a read-only worktree'),
    breach: ({ scene }) =>
      when(
        ['read-only', 'read-only-folder'].some((name) => existsSync(join(scene.worktree, name))),
        'a read-only worktree was written',
      ),
  },
  {
    name: 'signal-host',
    untried: tried('signal-host'),
    breach: ({ scene }) => when(!scene.bystander.alive(), 'killed a process of the host'),
  },
  {
    name: 'network',
    untried: ({ attempt }) => when(!attempt('network')?.said.includes('tcp='), INCOMPLETE),
    breach: ({ scene, attempt }) =>
      when(
        scene.listeners.tcp.received() !== undefined ||
          attempt('network')?.said.includes('tcp=REACHED') === true,
        'reached a TCP port of the host',
      ),
  },
  {
    name: 'unbound-socket',
    untried: ({ attempt }) => when(!attempt('network')?.said.includes('unbound='), INCOMPLETE),
    breach: ({ scene }) =>
      when(scene.listeners.unbound.received() !== undefined, 'reached a socket that was not bound'),
  },
];

/** What namespaces promise beyond that. */
export const NAMESPACE_WALLS: readonly Wall[] = [
  {
    name: 'abstract-socket',
    untried: ({ attempt }) => when(!attempt('network')?.said.includes('abstract='), INCOMPLETE),
    breach: ({ scene }) =>
      when(scene.listeners.abstract.received() !== undefined, 'reached an abstract socket'),
  },
  {
    name: 'see-processes',
    untried: tried('see-processes'),
    breach: ({ scene, file }) =>
      when(
        [file(scene.worktree, 'processes'), file(scene.worktree, 'environments')].some((seen) =>
          seen.includes(scene.secret),
        ),
        'saw a process of the host',
      ),
  },
  {
    name: 'trace-init',
    untried: tried('trace-init'),
    breach: ({ attempt }) =>
      when(
        attempt('trace-init')?.status === 0,
        "the sandbox's first process can be traced, and made to let workers outlive it",
      ),
  },
  {
    name: 'kernel-settings',
    untried: tried('kernel-settings'),
    breach: ({ attempt }) =>
      when(attempt('kernel-settings')?.status === 0, '/proc/sys can be written'),
  },
  {
    name: 'remount',
    untried: needs('remount', 'mount'),
    breach: (evidence) => {
      const capabilities = /^CapEff:\s*(\S+)/mu.exec(
        evidence.attempt('capabilities')?.said ?? '',
      )?.[1];
      if (!/^0+$/u.test(capabilities ?? ''))
        return `capabilities remain: ${capabilities ?? 'unknown'}`;
      if (!pointerKept(evidence) || !configKept(evidence))
        return 'a read-only mount became writable';
      return wrote('/usr')('.remount', evidence);
    },
  },
  {
    name: 'user-namespaces',
    untried: needs('user-namespaces', 'unshare'),
    breach: (evidence) => {
      const made = evidence.attempt('user-namespaces')?.status === 0;
      if (made && !evidence.nestable) return 'a user namespace could be made inside';
      if (!pointerKept(evidence)) return 'a namespace made inside opened a read-only mount';
      return wrote('/usr')('.nested', evidence);
    },
  },
  {
    name: 'survive-the-end',
    untried: ({ scene, file }) =>
      when(file(scene.home, 'survivor') === '', 'no process could be left behind (needs "setsid")'),
    breach: ({ survivorsGone }) => when(!survivorsGone, 'a process outlived the sandbox'),
  },
  {
    name: 'survive-the-supervisor',
    untried: ({ supervised }) => when(!supervised.ran, 'nothing ran below a supervisor'),
    breach: ({ supervised }) => when(!supervised.gone, 'a process outlived the killed supervisor'),
  },
];

/** The detail of a wall that held: what the try was told. */
export const said = ({ name }: Wall, { attempt }: Evidence): string =>
  shown(attempt(name)?.said.split('\n').at(-1) ?? '') || 'held';
