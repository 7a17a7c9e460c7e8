import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseSavedRunMode, RUN_MODES, type RunMode } from '@atelier/budget';
import { closestName } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import type { NotifyCommand } from './compose/notify.ts';
import { PlanRefused } from './plan-refused.ts';
import { readPlanFile } from './read-plan-file.ts';

/** What the user allows every run of theirs. */
export interface Config {
  /** Further paths that workers may read, absolute. */
  readonly sandboxRead: readonly string[];
  /** Git filters that tracked files may be stored through. */
  readonly allowFilters: readonly string[];
  /** The program that is told of every escalation, and its arguments. */
  readonly notify?: NotifyCommand;
  /** Hosts that workers, set-ups, checks and gates may reach beside the model; none when empty. */
  readonly allowHosts: readonly string[];
  /** The program that renews a login of a subscription, and its arguments. */
  readonly refreshLogin?: readonly string[];
  /** The run mode where nothing else names one. */
  readonly runMode?: RunMode;
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['read'],
  git: ['allowFilters'],
  escalations: ['notify'],
  network: ['allow'],
  login: ['refresh'],
};

const RUN_MODE = 'run-mode';

/**
 * Reads the user's config, if there is one. It is never taken from a repository: what is in there may come from a
 * worker, and would open the walls to the next one. Throws with every defect: unknown keys are refused.
 */
export async function readConfig(path: string): Promise<Config> {
  if (!existsSync(path)) return { sandboxRead: [], allowFilters: [], allowHosts: [] };
  const value = await documentIn(path);
  const issues = [...defectsOf(value)].map((defect) => ({ path, ...defect }));
  if (issues.length > 0) throw new PlanRefused(issues);
  const config = value as {
    sandbox?: { read?: string[] };
    git?: { allowFilters?: string[] };
    escalations?: { notify?: string[] };
    network?: { allow?: string[] };
    login?: { refresh?: string[] };
    [RUN_MODE]?: string;
  };
  const runMode = parseSavedRunMode(config[RUN_MODE]);
  const refresh = config.login?.refresh ?? [];
  const [program, ...args] = config.escalations?.notify ?? [];
  return {
    sandboxRead: (config.sandbox?.read ?? []).map(homeExpanded),
    allowFilters: config.git?.allowFilters ?? [],
    allowHosts: config.network?.allow ?? [],
    ...(refresh.length > 0 ? { refreshLogin: refresh.map(homeExpanded) } : {}),
    ...(runMode === undefined ? {} : { runMode }),
    ...(program === undefined ? {} : { notify: [homeExpanded(program), ...args] as const }),
  };
}

/** A file without a word, or with comments alone, sets nothing. */
async function documentIn(path: string): Promise<unknown> {
  const document = await readPlanFile(path);
  if (document.ok) return document.value ?? {};
  if (document.issues.every(({ code }) => code === 'empty-file')) return {};
  throw new PlanRefused(document.issues);
}

function* defectsOf(value: unknown): Generator<{ message: string; fix: string }> {
  if (!isObject(value)) {
    yield { message: 'the config must be an object', fix: 'For example: sandbox: { read: [] }.' };
    return;
  }
  for (const [section, content] of Object.entries(value)) {
    if (section.startsWith('x-')) continue;
    if (section === RUN_MODE) {
      if (parseSavedRunMode(content) === undefined) yield noRunMode(content);
      continue;
    }
    const keys = KEYS[section];
    if (!keys) yield unknownKey(section, [...Object.keys(KEYS), RUN_MODE]);
    else if (!isObject(content))
      yield { message: `${section} must be an object`, fix: `It takes ${keys.join(', ')}.` };
    else yield* sectionDefects(section, content, keys);
  }
}

function* sectionDefects(section: string, content: object, keys: readonly string[]) {
  for (const [key, list] of Object.entries(content)) {
    if (key.startsWith('x-')) continue;
    if (!keys.includes(key))
      yield unknownKey(
        `${section}.${key}`,
        keys.map((one) => `${section}.${one}`),
      );
    else if (!Array.isArray(list) || !list.every((item) => typeof item === 'string' && item !== ''))
      yield { message: `${section}.${key} must be a list of texts`, fix: 'Write it as [a, b].' };
    else if (key === 'read' && !list.every((path) => isAbsolute(homeExpanded(path))))
      yield { message: 'sandbox.read takes absolute paths', fix: 'Begin them with / or ~/.' };
  }
}

const noRunMode = (given: unknown) => ({
  message: `run-mode is ${printable(given, 60)}`,
  fix: `Use ${Object.keys(RUN_MODES).join(', ')}, or leave it out.`,
});

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unknownKey(key: string, known: readonly string[]) {
  const meant = closestName(key, known);
  return {
    message: `there is no key "${printable(key)}"`,
    fix: meant === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${meant}?`,
  };
}

const homeExpanded = (path: string): string =>
  path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
