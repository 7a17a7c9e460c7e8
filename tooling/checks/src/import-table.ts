/** What the shipped source of a package may reach for. Everything not named here is refused. */
export interface ImportRule {
  /** Workspace packages and libraries, by name. */
  readonly may: readonly string[];
  /** Workspace packages of which only types may be imported. */
  readonly typesOnly?: readonly string[];
  /** What its bundle reaches for at run time, and no source of its own. */
  readonly bundled?: readonly string[];
  /** Node's own modules: none, all, or those named. */
  readonly node: 'none' | 'any' | readonly string[];
}

/** The architecture, as a table: who may import whom. A package that is not listed may not exist. */
export const IMPORT_TABLE: Readonly<Record<string, ImportRule>> = {
  '@atelier/envelope': { may: [], node: 'none' },
  '@atelier/engine': { may: ['@atelier/envelope', 'valibot'], node: ['node:assert/strict'] },
  '@atelier/store-sqlite': {
    may: ['@atelier/engine', '@atelier/envelope', 'kysely', 'better-sqlite3'],
    node: 'any',
  },
  '@atelier/cli-transport': {
    may: ['@atelier/envelope'],
    typesOnly: ['@atelier/engine'],
    node: 'any',
  },
  '@atelier/sandbox': { may: [], node: 'any' },
  '@atelier/acceptance': {
    may: ['@atelier/envelope'],
    typesOnly: ['@atelier/engine'],
    node: 'none',
  },
  '@atelier/worktrees': {
    may: ['picomatch'],
    typesOnly: ['@atelier/engine'],
    node: 'any',
  },
  '@atelier/briefing': { may: ['@atelier/envelope'], node: 'none' },
  '@atelier/budget': { may: [], node: 'none' },
  '@atelier/reporters': {
    may: ['@atelier/envelope', 'string-width'],
    typesOnly: ['@atelier/engine'],
    node: 'none',
  },
  '@atelier/team-behaviors': { may: ['@atelier/envelope'], node: ['node:crypto'] },
  '@atelier/loom-comms': { may: [], node: 'any' },
  '@atelier/host': {
    may: [
      '@atelier/acceptance',
      '@atelier/briefing',
      '@atelier/budget',
      '@atelier/cli-transport',
      '@atelier/engine',
      '@atelier/envelope',
      '@atelier/loom-comms',
      '@atelier/reporters',
      '@atelier/sandbox',
      '@atelier/store-sqlite',
      '@atelier/team-behaviors',
      '@atelier/worktrees',
      'yaml',
    ],
    bundled: ['better-sqlite3'],
    node: 'any',
  },
  '@atelier/model-server': { may: [], node: 'any' },
  '@atelier/fake-loom': { may: [], node: 'any' },
  '@atelier/bench': {
    may: [
      '@atelier/acceptance',
      '@atelier/cli-transport',
      '@atelier/engine',
      '@atelier/sandbox',
      '@atelier/store-sqlite',
      '@atelier/worktrees',
      'better-sqlite3',
      'p-queue',
    ],
    node: 'any',
  },
  '@atelier/faults': {
    may: [
      '@atelier/cli-transport',
      '@atelier/engine',
      '@atelier/host',
      '@atelier/sandbox',
      '@atelier/store-sqlite',
      '@atelier/worktrees',
    ],
    bundled: ['better-sqlite3'],
    node: 'any',
  },
  '@atelier/checks': { may: ['vitest'], node: 'any' },
};

/** Packages whose results must follow from their arguments: no clock, environment or randomness in these folders. */
export const PURE_FOLDERS: readonly string[] = [
  'packages/envelope/src/',
  'packages/engine/src/core/',
  'packages/engine/src/plan/',
  'packages/briefing/src/',
  'packages/budget/src/',
  'packages/reporters/src/',
];

/** No source file is longer than this, tests aside. */
export const LONGEST_FILE = 300;
